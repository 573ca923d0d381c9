/** Keys of the product under the fuzzer: the same in each run, so that an input is the same too. */

export const PROJECT_KEY = 'phc_fuzzfuzzfuzzfuzzfuzzfuzzfuzz'
export const OWNER_KEY = 'phx_fuzzfuzzfuzzfuzzfuzzfuzzowner'
/** Stands in inputs for a key that may read: its value is made anew by each product. */
export const READER_KEY = 'phx_fuzzfuzzfuzzfuzzfuzzfuzzread'
