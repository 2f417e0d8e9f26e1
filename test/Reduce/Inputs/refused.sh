#!/bin/sh
# Exits with 1, which means interesting, if two threads of the kernel in file $1 cannot be one because of a loop's end.
! regrain-opt "$1" --grain-coarsen-threads=factors=2,1,1 2>&1 | grep -q 'a barrier is in a loop'
