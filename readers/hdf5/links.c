/* SPDX-License-Identifier: MIT
 */
#include "readers/hdf5/links.h"

static herr_t
refuse (const char *file, const char *path, const char *other, const char *inside, unsigned *flags, hid_t access,
        void *data)
{
  (void) file, (void) path, (void) other, (void) inside, (void) flags, (void) access, (void) data;
  return -1;
}

hid_t
hdf5_links_access (hid_t of)
{
  const hid_t access = H5Pcreate (of);
  H5Pset_elink_cb (access, refuse, NULL);
  return access;
}

gboolean
hdf5_links_exist (hid_t file, const char *path)
{
  g_auto (GStrv) parts = g_strsplit (path, "/", -1);
  g_autoptr (GString) so_far = g_string_new (NULL);
  const hid_t access = hdf5_links_access (H5P_LINK_ACCESS);
  gboolean all = TRUE;
  for (char **part = parts; *part && all; part++)
    if (**part) {
      g_string_append_printf (so_far, "/%s", *part);
      all = H5Lexists (file, so_far->str, access) > 0;
    }
  all = all && H5Oexists_by_name (file, so_far->len ? so_far->str : "/", access) > 0;
  H5Pclose (access);
  return all;
}

hid_t
hdf5_links_open (hid_t file, const char *path)
{
  const hid_t access = hdf5_links_access (H5P_LINK_ACCESS), id = H5Oopen (file, path, access);
  H5Pclose (access);
  return id;
}
