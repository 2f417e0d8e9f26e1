#!/bin/sh
# same-on-all-paths.sh PREFIX FILE FLAGS... runs the kernels on each path of the
# CPU target; PREFIX.out is their common output.
prefix=$1
shift
for path in loops states continuations; do
  regrain-cpu-test "$@" --run --path=$path > "$prefix.$path" || exit 1
done
cmp "$prefix.loops" "$prefix.states" || exit 1
cmp "$prefix.loops" "$prefix.continuations" || exit 1
mv "$prefix.loops" "$prefix.out"
