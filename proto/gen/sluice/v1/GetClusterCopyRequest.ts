// From proto/sluice/v1/operations.proto


export interface GetClusterCopyRequest {
}

export interface GetClusterCopyRequest__Output {
}
