/* SPDX-License-Identifier: MIT
 *
 * Public objects of cloud storage: s3://BUCKET/KEY and gs://BUCKET/KEY, read without an account. A key is not escaped, as with the storage's own programs.
 *
 * S3 is Amazon's, in AWS_REGION or AWS_DEFAULT_REGION if that is set, or that of AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL, as for the program aws.
 * gs:// is Google's, or STORAGE_EMULATOR_HOST.
 */
#ifndef CORE_BASE_FILE_CLOUD_H
#define CORE_BASE_FILE_CLOUD_H

#include "core/base/file_error.h"

gboolean file_cloud_is (const char *url);
/* The address on the web; a copy of any other URL. NULL with *error, where it names no bucket. Free with g_free(). */
char *file_cloud_address (const char *url, GError **error);
/* What a status of HTTP says of such an object, in words behind its name; NULL: what it says of any address. 403 is also that of what does not exist, where
 * a bucket may not be listed. */
const char *file_cloud_words (const char *url, int status);

#endif
