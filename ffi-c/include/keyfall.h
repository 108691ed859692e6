/* keyfall: where does this key fall?
 *
 * Generated from ffi-c/src/lib.rs and ffi-c/cbindgen.toml: do not edit. SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Conventions, which every function keeps:
 * - It returns a keyfall_result. Out-params come last and are written only where that is KEYFALL_OK.
 * - The text for anything else is keyfall_last_error(), per thread.
 * - A NULL where none is allowed is KEYFALL_NULL_POINTER. A key or params may be NULL where it says so; no function that
 *   frees minds one.
 * - Texts are UTF-8 and end with NUL. Pointers are valid, and texts and keys unchanged, for the length of the call.
 * - A placer belongs to the caller, who frees it once. It never changes: threads may share it.
 * - A text that is handed out through an out-param belongs to the caller: keyfall_string_free() frees it. Others belong
 *   to the library and last until the thread's next call into it.
 * - No panic crosses into the caller: one is KEYFALL_PANIC, and the placer can still be used.
 */


#ifndef KEYFALL_H
#define KEYFALL_H

#include <stddef.h>
#include <stdint.h>

// What a call answers. The first five are also what becomes of a key.
typedef enum {
    // Done; a key has a place.
    KEYFALL_OK = 0,
    // The client chooses freely: sticky, random or round robin.
    KEYFALL_UNPINNED = 1,
    // The system or client does not take this key.
    KEYFALL_REJECTED = 2,
    // Not computable outside the system.
    KEYFALL_REFUSED = 3,
    // The key is malformed, or of a form that the scheme has no use for.
    KEYFALL_KEY_ERROR = 4,
    // A pointer is NULL that must not be.
    KEYFALL_NULL_POINTER = 16,
    // A text is not UTF-8.
    KEYFALL_INVALID_UTF8 = 17,
    // No scheme has this id.
    KEYFALL_UNKNOWN_SCHEME = 18,
    // The scheme has no such param.
    KEYFALL_UNKNOWN_PARAM = 19,
    // A required param is absent.
    KEYFALL_MISSING_PARAM = 20,
    // A param's value is not allowed.
    KEYFALL_INVALID_PARAM = 21,
    // A topology cannot be used.
    KEYFALL_INVALID_TOPOLOGY = 22,
    // JSON that is not of the documented form.
    KEYFALL_INVALID_JSON = 23,
    // An error of a kind that this list does not have.
    KEYFALL_OTHER_ERROR = 63,
    // A bug in keyfall: please report it with keyfall_last_error().
    KEYFALL_PANIC = 64,
} keyfall_result;

// What a placer's places are: which member of keyfall_place_t holds one.
typedef enum {
    // A 0-based index (partition, slot, shard, node): `index`.
    KEYFALL_INDEX = 0,
    // A signed 32-bit code: `token`.
    KEYFALL_I32 = 1,
    // A signed 64-bit token: `token`.
    KEYFALL_I64 = 2,
    // An unsigned 128-bit token: `high` and `low`.
    KEYFALL_U128 = 3,
    // Bytes: `text`, as the system writes them.
    KEYFALL_BYTES = 4,
} keyfall_domain;

// A scheme bound to validated params.
typedef struct keyfall_placer keyfall_placer;

// A place. The members that `domain` does not name are 0.
typedef struct {
    // Which of the members below holds the place.
    keyfall_domain domain;
    // A 0-based index.
    uint32_t index;
    // A signed token or code.
    int64_t token;
    // The upper half of a 128-bit token.
    uint64_t high;
    // The lower half of a 128-bit token.
    uint64_t low;
    // A place that is bytes: hex or text, as the system writes it. Lasts until the thread's next call.
    const char *text;
    // The length of `text` without the NUL at its end; there may be others inside.
    size_t text_len;
} keyfall_place_t;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Binds a scheme, such as "kafka/java", to its params, a JSON object such as {"partitions":12}; NULL is none.
keyfall_result keyfall_placer_new(const char *scheme, const char *params_json, keyfall_placer **placer);

// Frees a placer. NULL is none.
void keyfall_placer_free(keyfall_placer *placer);

// Where a key of `len` bytes falls. `key` NULL with `len` 0 is a null key; an empty key is any other pointer with `len` 0.
//
// KEYFALL_UNPINNED, KEYFALL_REJECTED and KEYFALL_REFUSED are answers too: keyfall_last_error() says why.
keyfall_result keyfall_place(const keyfall_placer *placer,
                             const uint8_t *key,
                             size_t len,
                             keyfall_place_t *place);

// Where a key of any form falls, as JSON: {"text":"user:42"}, {"type":"bigint","value":"42"}, {"tuple":[...]}, null, ...
//
// Every outcome is KEYFALL_OK, a malformed key's too: `outcome_json` gets {"outcome":"placed","place":9,"hash":"..."}, or
// "unpinned", "rejected", "refused" or "error" with a "why".
keyfall_result keyfall_place_json(const keyfall_placer *placer,
                                  const char *key_json,
                                  char **outcome_json);

// Frees a text that came out of an out-param. NULL is none.
void keyfall_string_free(char *string);

// The text of the last call on this thread that was not KEYFALL_OK; "" if there was none. Never NULL.
const char *keyfall_last_error(void);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* KEYFALL_H */
