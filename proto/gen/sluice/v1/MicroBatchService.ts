// From proto/sluice/v1/micro_batches.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { MicroBatch as _sluice_v1_MicroBatch, MicroBatch__Output as _sluice_v1_MicroBatch__Output } from '../../sluice/v1/MicroBatch.ts';
import type { MicroBatchAnswer as _sluice_v1_MicroBatchAnswer, MicroBatchAnswer__Output as _sluice_v1_MicroBatchAnswer__Output } from '../../sluice/v1/MicroBatchAnswer.ts';

export interface MicroBatchServiceClient extends grpc.Client {
  Exchange(metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientDuplexStream<_sluice_v1_MicroBatch, _sluice_v1_MicroBatchAnswer__Output>;
  Exchange(options?: grpc.CallOptions): grpc.ClientDuplexStream<_sluice_v1_MicroBatch, _sluice_v1_MicroBatchAnswer__Output>;
  exchange(metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientDuplexStream<_sluice_v1_MicroBatch, _sluice_v1_MicroBatchAnswer__Output>;
  exchange(options?: grpc.CallOptions): grpc.ClientDuplexStream<_sluice_v1_MicroBatch, _sluice_v1_MicroBatchAnswer__Output>;
  
}

export interface MicroBatchServiceHandlers extends grpc.UntypedServiceImplementation {
  Exchange: grpc.handleBidiStreamingCall<_sluice_v1_MicroBatch__Output, _sluice_v1_MicroBatchAnswer>;
  
}

export interface MicroBatchServiceDefinition extends grpc.ServiceDefinition {
  Exchange: MethodDefinition<_sluice_v1_MicroBatch, _sluice_v1_MicroBatchAnswer, _sluice_v1_MicroBatch__Output, _sluice_v1_MicroBatchAnswer__Output>
}
