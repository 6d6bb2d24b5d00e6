#!/bin/sh
# fetch.sh NAME DIR: unpacks the upstream source of a Debian source package below DIR and prints the
# directory it is in. Exit 77, with the reason, where it cannot be had. The machine's own list of package
# sources is read, not changed; what was fetched once stays in DIR and is used again.
set -u
name=$1
dir=$2
mkdir -p "$dir" && cd "$dir" || exit 1
# Tests run side by side: one fetches at a time.
exec 9> .lock
if command -v flock > /dev/null; then flock 9; fi
say_no() { echo "SKIP: source of $name: $*" >&2; exit 77; }

if [ ! -f "$name.unpacked" ]; then
	command -v apt-get > /dev/null && command -v dpkg-source > /dev/null || say_no "no apt-get or dpkg-source here"
	lists=$dir/apt
	mkdir -p "$lists/lists/partial" "$lists/parts"
	# The same places as for binary packages, for sources.
	if [ ! -s "$lists/sources.list" ] && [ -z "$(ls "$lists/parts")" ]; then
		for file in /etc/apt/sources.list.d/debian*.sources; do
			[ -f "$file" ] && sed 's/^Types:.*/Types: deb-src/' "$file" > "$lists/parts/$(basename "$file")"
		done
		[ -f /etc/apt/sources.list ] && sed -n 's/^deb /deb-src /p' /etc/apt/sources.list > "$lists/sources.list"
		touch "$lists/sources.list"
	fi
	apt() {
		apt-get -q -o Dir::Etc::sourcelist="$lists/sources.list" -o Dir::Etc::sourceparts="$lists/parts" \
			-o Dir::State::lists="$lists/lists" -o APT::Get::List-Cleanup=false -o Debug::NoLocking=1 \
			-o Dir::Cache::srcpkgcache= -o Dir::Cache::pkgcache= -o APT::Sandbox::User=root "$@"
	}
	if [ ! -f "$lists/updated" ]; then
		apt -o APT::Update::Error-Mode=any update > "$lists/update.log" 2>&1 && touch "$lists/updated" || say_no "the lists of sources cannot be had"
	fi
	apt source --download-only --tar-only "$name" > "$name.log" 2>&1 || say_no "$(tail -1 "$name.log")"
	tarball=$(ls "$name"_*.orig.tar.* 2> /dev/null | grep -v '\.asc$' | head -1)
	[ -n "$tarball" ] || say_no "no tarball came"
	mkdir -p "$name.src" && tar -C "$name.src" -xf "$tarball" || exit 1
	echo "$tarball" > "$name.unpacked"
fi
set -- "$name.src"/*/
[ $# -eq 1 ] || set -- "$name.src"
printf '%s\n' "$dir/${1%/}"
