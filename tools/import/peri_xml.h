/*
 * peri_xml: reads profiles in PERI-XML, in the form that ParaProf reads.
 *
 * The schema of PERI-XML is no longer published. What is known of it is what readers take from such a file: functions
 * (eventDef) and metrics (metricDef) with numbers, and for each process the values of its functions (eventInstance,
 * metric) in seconds. Other elements are ignored, and so is the case of letters:
 *
 *	<eventDef id="1"><procedure>solve</procedure><type>function</type><startline>12</startline><module>a.c</module>
 *	</eventDef>
 *	<metricDef id="1"><name>time</name></metricDef>
 *	<process id="0"><eventInstance id="1"><metric id="1">2.5</metric></eventInstance></process>
 *
 * The values are own (exclusive) ones; there are no call paths, so all functions are below one root, PROGRAM.
 */
#ifndef FATHOM_TOOLS_IMPORT_PERI_XML_H
#define FATHOM_TOOLS_IMPORT_PERI_XML_H

struct fathom_imported_profile;

/* Adds the profile of a file. 0, or -errno after an error message. Context: tool. */
int fathom_peri_xml_read(struct fathom_imported_profile *profile, const char *path);

#endif
