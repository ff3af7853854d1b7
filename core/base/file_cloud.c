/* SPDX-License-Identifier: MIT
 *
 * Amazon's addresses have the bucket in the name of the host, unless that could not be one that the certificate is for.
 */
#include "core/base/file_cloud.h"

#include <string.h>

enum { MOVED = 301, FORBIDDEN = 403 };

/* ---- Names ---- */

static gboolean
has_scheme (const char *url, const char *scheme)
{
  const char *own = g_uri_peek_scheme (url);
  return own && !strcmp (own, scheme) && g_str_has_prefix (url + strlen (scheme), "://");
}

gboolean
file_cloud_is (const char *url)
{
  return has_scheme (url, "s3") || has_scheme (url, "gs");
}

static gboolean
is_bucket (const char *name)
{
  return *name && strspn (name, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS ".-_") == strlen (name)
         && g_ascii_isalnum (*name);
}

static gboolean
is_host (const char *bucket)
{
  return strspn (bucket, G_CSET_a_2_z G_CSET_DIGITS "-") == strlen (bucket);
}

/* ---- Servers ---- */

/* The first of the variables that is set and not empty, or NULL. */
static const char *
first_set (const char *const *names)
{
  for (; *names; names++) {
    const char *value = g_getenv (*names);
    if (value && *value)
      return value;
  }
  return NULL;
}

/* https:// and a name, if it is only that, and no slash at its end. Free with g_free(). */
static char *
endpoint (const char *given)
{
  char *url = g_strconcat (strstr (given, "://") ? "" : "http://", given, NULL);
  for (gsize n = strlen (url); n && url[n - 1] == '/'; n--)
    url[n - 1] = 0;
  return url;
}

static char *
s3_address (const char *bucket, const char *key)
{
  static const char *const endpoints[] = {"AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", NULL}, *const regions[] = {
                                                                                              "AWS_REGION",
                                                                                              "AWS_DEFAULT_REGION",
                                                                                              NULL};
  const char *given =
               g_strcmp0 (g_getenv ("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"), "true") ? first_set (endpoints) : NULL,
             *region = first_set (regions);
  if (given) {
    g_autofree char *url = endpoint (given);
    return g_strdup_printf ("%s/%s/%s", url, bucket, key);
  }
  if (region && !is_host (region))
    region = NULL;
  g_autofree char *host = g_strconcat ("s3", region ? "." : "", region ? region : "", ".amazonaws.com",
                                       region && g_str_has_prefix (region, "cn-") ? ".cn" : "", NULL);
  return is_host (bucket) ? g_strdup_printf ("https://%s.%s/%s", bucket, host, key)
                          : g_strdup_printf ("https://%s/%s/%s", host, bucket, key);
}

static char *
gs_address (const char *bucket, const char *key)
{
  static const char *const hosts[] = {"STORAGE_EMULATOR_HOST", NULL};
  const char *given = first_set (hosts);
  g_autofree char *url = endpoint (given ? given : "https://storage.googleapis.com");
  return g_strdup_printf ("%s/%s/%s", url, bucket, key);
}

/* ---- All ---- */

char *
file_cloud_address (const char *url, GError **error)
{
  if (!file_cloud_is (url))
    return g_strdup (url);
  const char *name = strstr (url, "://") + 3, *slash = strchr (name, '/');
  g_autofree char *bucket = slash ? g_strndup (name, (gsize) (slash - name)) : g_strdup (name),
                  *key = g_uri_escape_string (slash ? slash + 1 : "", "/", FALSE);
  if (is_bucket (bucket))
    return has_scheme (url, "s3") ? s3_address (bucket, key) : gs_address (bucket, key);
  file_fail (error, FILE_ERROR_OPEN, url, "names no bucket: %.2s://BUCKET/KEY is what can be read.", url);
  return NULL;
}

const char *
file_cloud_words (const char *url, int status)
{
  if (!file_cloud_is (url))
    return NULL;
  if (status == FORBIDDEN)
    return "is not public, or does not exist: the server denies access. Fovea has no account there; download it with "
           "the "
           "storage's own program first.";
  if (status == MOVED)
    return "cannot be fetched: the bucket is in another region. Set AWS_REGION to that one.";
  return NULL;
}
