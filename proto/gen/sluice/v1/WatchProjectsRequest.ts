// From proto/sluice/v1/directory.proto


export interface WatchProjectsRequest {
}

export interface WatchProjectsRequest__Output {
}
