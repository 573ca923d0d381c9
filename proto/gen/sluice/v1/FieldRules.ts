// From proto/sluice/v1/options.proto

import type { Long } from '@grpc/proto-loader';

export interface FieldRules {
  'required'?: (boolean);
  'nullable'?: (boolean);
  'blank'?: (boolean);
  'max_length'?: (number);
  'min_length'?: (number);
  'minimum'?: (number | string | Long);
  'maximum'?: (number | string | Long);
  'choices'?: (string)[];
  'format'?: (string);
  'json'?: (string);
  'item_max_length'?: (number);
  'item_nullable'?: (boolean);
  'path_only'?: (boolean);
  'reference'?: (boolean);
  'verbatim'?: (boolean);
  'max_items'?: (number);
  'form_only'?: (boolean);
  'form_parts'?: (string);
  'json_text'?: (boolean);
  'exact_numbers'?: (boolean);
}

export interface FieldRules__Output {
  'required': (boolean);
  'nullable': (boolean);
  'blank': (boolean);
  'max_length': (number);
  'min_length': (number);
  'minimum': (number);
  'maximum': (number);
  'choices': (string)[];
  'format': (string);
  'json': (string);
  'item_max_length': (number);
  'item_nullable': (boolean);
  'path_only': (boolean);
  'reference': (boolean);
  'verbatim': (boolean);
  'max_items': (number);
  'form_only': (boolean);
  'form_parts': (string);
  'json_text': (boolean);
  'exact_numbers': (boolean);
}
