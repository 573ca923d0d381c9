// From proto/sluice/v1/activity.proto


export interface ListOrganizationActivityRequest {
  'organization_id'?: (string);
  'scope'?: (string);
  'item_id'?: (string);
  'user'?: (string);
  'limit'?: (number);
  'offset'?: (number);
  '_scope'?: "scope";
  '_item_id'?: "item_id";
  '_user'?: "user";
}

export interface ListOrganizationActivityRequest__Output {
  'organization_id': (string);
  'scope'?: (string);
  'item_id'?: (string);
  'user'?: (string);
  'limit': (number);
  'offset': (number);
}
