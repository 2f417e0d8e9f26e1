#!/bin/sh
# Builds the suite with NVIDIA's compiler, and records the answers of NVIDIA's runtime.
#
# usage: record.sh build FOLDER    compiles into FOLDER; needs nvcc and no GPU
#        record.sh run FOLDER OUT  asks on a machine with a GPU; needs no nvcc
#
# The answers are in OUT/answers.txt; `expected.py record` takes them into expected.txt.
set -eu
here=$(cd "$(dirname "$0")" && pwd)

build() {
  mkdir -p "$1"
  nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
  # One runtime for the program and the library, so that a thread has one last error.
  options="-std=c++17 -O2 -arch=${ARCH:-sm_90} -cudart shared"
  objects=
  for source in "$here"/*.cu; do
    area=$(basename "$source" .cu)
    [ "$area" = library ] && continue
    stream=
    [ "$area" = per_thread ] && stream="--default-stream per-thread"
    # shellcheck disable=SC2086
    "$nvcc" $options $stream -c "$source" -o "$1/$area.o"
    objects="$objects $1/$area.o"
  done
  # shellcheck disable=SC2086
  "$nvcc" $options -Xlinker -rpath,'$ORIGIN' $objects -o "$1/conformance" -ldl -lpthread
  # shellcheck disable=SC2086
  "$nvcc" $options -Xlinker -rpath,'$ORIGIN' -shared -Xcompiler -fPIC "$here/library.cu" \
    -o "$1/libconformance.so"
  # shellcheck disable=SC2086
  rm -f $objects
  toolkit=$(dirname "$(dirname "$(readlink -f "$nvcc")")")
  cp "$toolkit"/lib64/libcudart.so.[0-9][0-9] "$1"
  cp "$here/record.sh" "$1"
}

run() {
  mkdir -p "$2"
  status=0
  # The answers are those of one device.
  CUDA_VISIBLE_DEVICES=0 "$1/conformance" >"$2/answers.txt" 2>"$2/errors.txt" || status=$?
  echo "$(grep -c ': ' "$2/answers.txt") answers, exit $status"
}

case ${1:-} in
build) build "$2" ;;
run) run "$2" "$3" ;;
*)
  sed -n '2,9s/^# \{0,1\}//p' "$0" >&2
  exit 2
  ;;
esac
