// From proto/sluice/v1/users.proto


export interface UserListItem {
  'id'?: (number);
  'uuid'?: (string);
  'distinct_id'?: (string);
  'first_name'?: (string);
  'email'?: (string);
  'date_joined'?: (string);
  'is_staff'?: (boolean);
  'is_active'?: (boolean);
  'is_email_verified'?: (boolean);
  'pending_email'?: (string);
  '_pending_email'?: "pending_email";
}

export interface UserListItem__Output {
  'id': (number);
  'uuid': (string);
  'distinct_id': (string);
  'first_name': (string);
  'email': (string);
  'date_joined': (string);
  'is_staff': (boolean);
  'is_active': (boolean);
  'is_email_verified': (boolean);
  'pending_email'?: (string);
}
