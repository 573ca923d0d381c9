/** Grammar of flags' tests: operators, unknown ones too, patterns and numbers as text. */

export const OPERATORS: readonly string[] = [
  ...['exact', 'is_not', 'icontains', 'not_icontains', 'starts_with', 'not_starts_with'],
  ...['ends_with', 'not_ends_with', 'icontains_multi', 'not_icontains_multi'],
  ...['regex', 'not_regex', 'gt', 'gte', 'lt', 'lte', 'between', 'not_between'],
  ...['is_set', 'is_not_set', 'is_date_before', 'is_date_after', 'is_date_exact'],
  ...['is_relative_date_before', 'is_relative_date_after', 'in', 'not_in', 'flag_evaluates_to'],
  ...['semver_eq', 'semver_neq', 'semver_gt', 'semver_gte', 'semver_lt', 'semver_lte'],
  ...['semver_tilde', 'semver_caret', 'semver_wildcard', 'constructor', '__proto__', ''],
]

export const PATTERNS: readonly string[] = [
  ...['(a+)+$', '(a|a)*b', '(?=a)b', '(?<!x)a', '(?!x)(?<=a).*', '\\bx', '[^\\p{L}]', '(.*)\\1'],
  ...['(?i)A', 'a{1000}', '((a{9}){9}){9}', '(?:a?){50}a{50}', '^$', '[[:alpha:]]', '\\Q'],
  ...['(?P<n>a)', '(', '[z-a]', '\\u{110000}', '.*.*.*.*=.*', '😀+', '[\\s\\S]{2,}?x', '\\pZ'],
  ...['a{0,65535}', '(?<n>a)\\k<n>', '\\d+(?:\\.\\d+){3}', '[^]', '[]', '\\cA\\0', '(?s:.)(?-i:x)'],
  ...['(((((((((((((((((((())))))))))))))))))))', '\\ud83d', 'Ünï|ß|ſ|K', '|||', 'a**', '(?#c)a'],
]

/** Some of them only look like numbers. */
export const NUMBER_TEXTS: readonly string[] = [
  ...['0', '-0', '+1', '1', '-1', '0.1', '.5', '1.', '1e3', '1e308', '-1e308', '5e-324', '1e400'],
  ...['9007199254740993', '18446744073709551616', '0x10', '0b1', '1_000', '٣', '½', 'Infinity'],
  ...['NaN', ' 7 ', '1,5', '00012', '2147483648', '-2147483649', '1e-400', '1n'],
]
