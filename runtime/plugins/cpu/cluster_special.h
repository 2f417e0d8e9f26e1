/*===- cluster_special.h - What a block knows of its cluster ------*- C -*-===*\
|*
|* Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/
#ifndef REGRAIN_PLUGINS_CPU_CLUSTER_SPECIAL_H
#define REGRAIN_PLUGINS_CPU_CLUSTER_SPECIAL_H

/* What regrain_cpu_cluster_special returns. Compiled code contains these numbers. */
enum RegrainClusterSpecial {
  REGRAIN_CLUSTER_INDEX = 0, /* + dimension */
  REGRAIN_CLUSTER_COUNT = 3, /* of the grid */
  REGRAIN_CLUSTER_BLOCK_INDEX = 6,
  REGRAIN_CLUSTER_SIZE = 9, /* in blocks */
  REGRAIN_CLUSTER_RANK = 12,
  REGRAIN_CLUSTER_BLOCKS = 13
};

/* The rank of the block to whose shared memory a pointer does not point. */
#define REGRAIN_NO_CLUSTER_RANK UINT32_MAX

#endif
