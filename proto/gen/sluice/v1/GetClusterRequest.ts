// From proto/sluice/v1/operations.proto


export interface GetClusterRequest {
}

export interface GetClusterRequest__Output {
}
