//===- regrain_driver_attributes.h - Attributes of launches -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver API's names for attributes of launches, streams and kernels of graphs, and for their
// values. The types are those of the runtime API, whose values have the same numbers.
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_DRIVER_ATTRIBUTES_H
#define REGRAIN_DRIVER_ATTRIBUTES_H
#pragma GCC system_header

#include "driver_types.h"
#include "regrain_driver_enums.h"

typedef enum cudaAccessProperty CUaccessProperty;
#define CU_ACCESS_PROPERTY_NORMAL cudaAccessPropertyNormal
#define CU_ACCESS_PROPERTY_STREAMING cudaAccessPropertyStreaming
#define CU_ACCESS_PROPERTY_PERSISTING cudaAccessPropertyPersisting

typedef struct cudaAccessPolicyWindow CUaccessPolicyWindow;
typedef CUaccessPolicyWindow CUaccessPolicyWindow_v1;

typedef enum cudaSynchronizationPolicy CUsynchronizationPolicy;
#define CU_SYNC_POLICY_AUTO cudaSyncPolicyAuto
#define CU_SYNC_POLICY_SPIN cudaSyncPolicySpin
#define CU_SYNC_POLICY_YIELD cudaSyncPolicyYield
#define CU_SYNC_POLICY_BLOCKING_SYNC cudaSyncPolicyBlockingSync

typedef enum cudaClusterSchedulingPolicy CUclusterSchedulingPolicy;
#define CU_CLUSTER_SCHEDULING_POLICY_DEFAULT cudaClusterSchedulingPolicyDefault
#define CU_CLUSTER_SCHEDULING_POLICY_SPREAD cudaClusterSchedulingPolicySpread
#define CU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING cudaClusterSchedulingPolicyLoadBalancing

typedef enum cudaLaunchMemSyncDomain CUlaunchMemSyncDomain;
#define CU_LAUNCH_MEM_SYNC_DOMAIN_DEFAULT cudaLaunchMemSyncDomainDefault
#define CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE cudaLaunchMemSyncDomainRemote
typedef cudaLaunchMemSyncDomainMap CUlaunchMemSyncDomainMap;

typedef cudaLaunchAttributeValue CUlaunchAttributeValue;

typedef CUlaunchAttributeID CUstreamAttrID;
#define CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW
#define CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY
#define CU_STREAM_ATTRIBUTE_PRIORITY CU_LAUNCH_ATTRIBUTE_PRIORITY
#define CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP
#define CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN
typedef CUlaunchAttributeValue CUstreamAttrValue;
typedef CUstreamAttrValue CUstreamAttrValue_v1;

typedef CUlaunchAttributeID CUkernelNodeAttrID;
#define CU_KERNEL_NODE_ATTRIBUTE_ACCESS_POLICY_WINDOW CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW
#define CU_KERNEL_NODE_ATTRIBUTE_COOPERATIVE CU_LAUNCH_ATTRIBUTE_COOPERATIVE
#define CU_KERNEL_NODE_ATTRIBUTE_CLUSTER_DIMENSION CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
#define CU_KERNEL_NODE_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE                              \
  CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE
#define CU_KERNEL_NODE_ATTRIBUTE_PRIORITY CU_LAUNCH_ATTRIBUTE_PRIORITY
typedef CUlaunchAttributeValue CUkernelNodeAttrValue;
typedef CUkernelNodeAttrValue CUkernelNodeAttrValue_v1;

/* What graphics interfaces hand over; no entry here takes it. */
typedef struct CUgraphicsResource_st *CUgraphicsResource;
/* Pointers of CUDA 3.1 and older. */
typedef unsigned int CUdeviceptr_v1;

#endif
