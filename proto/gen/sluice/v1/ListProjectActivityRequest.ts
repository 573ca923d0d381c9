// From proto/sluice/v1/activity.proto


export interface ListProjectActivityRequest {
  'project_id'?: (string);
  'scope'?: (string);
  'item_id'?: (string);
  'user'?: (string);
  'limit'?: (number);
  'offset'?: (number);
  '_scope'?: "scope";
  '_item_id'?: "item_id";
  '_user'?: "user";
}

export interface ListProjectActivityRequest__Output {
  'project_id': (string);
  'scope'?: (string);
  'item_id'?: (string);
  'user'?: (string);
  'limit': (number);
  'offset': (number);
}
