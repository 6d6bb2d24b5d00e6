#include "tools/whatif/whatif_json.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/common/json_writer.h"

static json_t *run_object(const struct fathom_study_run *run, uint32_t tasks)
{
	const struct fathom_study_efficiency *efficiency = &run->efficiency;
	json_t *object = json_object(), *factors = json_object(), *list = json_array();

	fathom_json_set_number(object, "seconds", run->seconds);
	fathom_json_set_number(object, "mpi_init_seconds", run->start_seconds);
	fathom_json_set_known(object, "ideal_network_seconds", run->ideal_seconds >= 0, run->ideal_seconds);
	fathom_json_set_known(factors, "parallel", efficiency->parallel > 0, efficiency->parallel);
	fathom_json_set_known(factors, "load_balance", efficiency->balance > 0, efficiency->balance);
	fathom_json_set_known(factors, "communication", efficiency->communication > 0, efficiency->communication);
	fathom_json_set_known(factors, "serialisation", efficiency->serialisation >= 0, efficiency->serialisation);
	fathom_json_set_known(factors, "transfer", efficiency->transfer >= 0, efficiency->transfer);
	json_object_set_new(object, "efficiency", factors);
	for (uint32_t i = 0; run->result.tasks && i < tasks; i++) {
		const struct fathom_replay_task_result *task = &run->result.tasks[i];
		json_t *item = json_object();

		fathom_json_set_number(item, "rank", i);
		fathom_json_set_number(item, "end_seconds", task->end);
		fathom_json_set_number(item, "computation_seconds", task->burst_seconds);
		fathom_json_set_number(item, "local_mpi_seconds", task->local_seconds);
		fathom_json_set_number(item, "waiting_seconds", task->wait_seconds);
		fathom_json_set_number(item, "transfer_seconds", task->transfer_seconds);
		json_array_append_new(list, item);
	}
	json_object_set_new(object, "ranks", list);
	return object;
}

static json_t *network_object(const struct fathom_network *network)
{
	json_t *object = json_object();

	fathom_json_set_number(object, "latency_seconds", network->latency);
	fathom_json_set_number(object, "send_seconds", fathom_network_send_seconds(network));
	fathom_json_set_known(object, "bytes_per_second", network->bandwidth > 0, network->bandwidth);
	fathom_json_set_number(object, "buses", network->buses);
	fathom_json_set_number(object, "in_links", network->in_links);
	fathom_json_set_number(object, "out_links", network->out_links);
	json_object_set_new(object, "half_duplex", json_boolean(network->is_half_duplex));
	return object;
}

static json_t *machine_object(const struct fathom_machine *machine, const struct fathom_calibration *calibration)
{
	json_t *object = json_object(), *operations = json_object();

	json_object_set_new(object, "between_nodes", network_object(&machine->between));
	json_object_set_new(object, "inside_nodes", network_object(&machine->inside));
	fathom_json_set_known(object, "eager_limit_bytes", machine->eager_limit != UINT64_MAX,
			      (double)machine->eager_limit);
	fathom_json_set_number(object, "cpus_per_node", machine->cpus);
	fathom_json_set_known(object, "slice_seconds", machine->slice_seconds > 0, machine->slice_seconds);
	fathom_json_set_number(object, "cpu_ratio", machine->cpu_ratio);
	for (int o = 0; o < FATHOM_COLLECTIVES; o++) {
		const struct fathom_collective_model *model = &machine->collectives[o];
		json_t *operation;

		if (!calibration->collectives[o])
			continue;
		operation = json_object();
		fathom_json_set_text(operation, "in", fathom_phase_growth_name(model->in.growth));
		fathom_json_set_text(operation, "out", fathom_phase_growth_name(model->out.growth));
		fathom_json_set_number(operation, "scale", model->scale);
		fathom_json_set_number(operation, "fixed_seconds", model->fixed);
		json_object_set_new(operation, "waits_for_all", json_boolean(model->order == FATHOM_ORDER_ALL));
		fathom_json_set_number(operation, "instances", (double)calibration->collectives[o]);
		json_object_set_new(operations, fathom_collective_name((enum fathom_collective)o), operation);
	}
	json_object_set_new(object, "collective_operations", operations);
	return object;
}

static void print_waits(const struct fathom_study *study)
{
	size_t count, i;
	struct fathom_study_wait *waits = fathom_study_waits(study, &count);
	char path[4096];

	fathom_json_begin_list("waits");
	for (i = 0; i < count; i++) {
		json_t *item = json_object();

		fathom_trace_program_path(study->made, waits[i].path, path, sizeof(path));
		fathom_json_set_text(item, "path", path);
		fathom_json_set_number(item, "waiting_seconds", waits[i].wait_seconds);
		fathom_json_set_number(item, "waiting_before_seconds", waits[i].before_seconds);
		fathom_json_set_number(item, "transfer_seconds", waits[i].transfer_seconds);
		fathom_json_set_number(item, "longest_rank", waits[i].rank);
		fathom_json_set_number(item, "longest_seconds", waits[i].rank_seconds);
		fathom_json_item(i == 0, item);
	}
	fathom_json_end_list();
	free(waits);
}

static void print_kinds(const struct fathom_study *study)
{
	const struct fathom_speed_rules *rules = &study->options->rules;
	bool is_first = true;

	fathom_json_begin_list("faster_kinds");
	for (size_t i = 0; i < rules->count; i++) {
		const struct fathom_speed_rule *rule = &rules->rules[i];
		json_t *item;

		if (!rule->kind)
			continue;
		item = json_object();
		fathom_json_set_number(item, "kind", rule->kind);
		fathom_json_set_number(item, "factor", rule->factor);
		fathom_json_set_number(item, "bursts", (double)rule->bursts);
		fathom_json_set_number(item, "seconds", fathom_replay_seconds(&study->made->program, rule->ticks));
		fathom_json_set_text(item, "path", rule->place);
		fathom_json_item(is_first, item);
		is_first = false;
	}
	fathom_json_end_list();
}

static void print_sweep(const struct fathom_study *study)
{
	const struct fathom_sweep *sweep = &study->sweep;
	bool is_first = true;

	if (sweep->bandwidth_count == 0)
		return;
	fathom_json_begin_list("sweep");
	for (size_t f = 0; f < sweep->factor_count; f++) {
		for (size_t b = 0; b < sweep->bandwidth_count; b++) {
			json_t *item = json_object();

			fathom_json_set_number(item, "bytes_per_second", sweep->bandwidths[b]);
			fathom_json_set_number(item, "factor", sweep->factors[f]);
			fathom_json_set_number(item, "speed_up", sweep->speed_ups[f * sweep->bandwidth_count + b]);
			fathom_json_item(is_first, item);
			is_first = false;
		}
	}
	fathom_json_end_list();
}

void fathom_whatif_json(const struct fathom_study *study)
{
	const struct fathom_replay_program *program = &study->made->program;
	json_t *left_out = json_object();

	printf("{\n\"format\": \"fathom-whatif-1\"");
	fathom_json_member("trace", fathom_json_text(study->made->source));
	fathom_json_member("events", fathom_json_number((double)study->made->events));
	fathom_json_member("nodes", fathom_json_number(program->node_count));
	fathom_json_member("measured", study->made->trace ? run_object(&study->measured, program->task_count) :
							    json_null());
	fathom_json_member("replayed", run_object(&study->replayed, program->task_count));
	fathom_json_member("error", fathom_json_number(fathom_study_error(study)));
	fathom_json_member("predicted", study->has_prediction ? run_object(&study->predicted, program->task_count) :
								json_null());
	fathom_json_member("speed_up", study->has_prediction && study->predicted.seconds > 0 ?
			   fathom_json_number(study->replayed.seconds / study->predicted.seconds) : json_null());
	fathom_json_member("processors_per_node_of_run", study->processors ? fathom_json_number(study->processors) :
									   json_null());
	fathom_json_member("busy_threads_per_node_of_run", fathom_json_number(study->busy_threads));
	fathom_json_member("machine_of_run", machine_object(&study->measured_machine, &study->calibration));
	fathom_json_member("machine", machine_object(&study->machine, &study->calibration));
	print_kinds(study);
	print_waits(study);
	print_sweep(study);
	fathom_json_set_number(left_out, "sends", (double)program->lost_sends);
	fathom_json_set_number(left_out, "receives", (double)program->lost_receives);
	fathom_json_set_number(left_out, "collective_parts", (double)program->lost_collectives);
	fathom_json_set_number(left_out, "one_sided_steps", (double)study->made->one_sided);
	fathom_json_set_number(left_out, "neighborhood_operations", (double)study->made->neighborhoods);
	fathom_json_member("left_out", left_out);
	printf("\n}\n");
}
