/* SPDX-License-Identifier: MIT
 *
 * The attributes are those of PS3.15, table E.1-1, that people read; sequences and elements of vendors are left out.
 */
#include "core/files/dicom/personal.h"

#include "core/base/text.h"

#include <string.h>

#define CHARACTER_SET DICOM_TAG (0x0008, 0x0005)

static const struct {
  guint32 tag;
  const char *label;
} attributes[] = {
  {DICOM_TAG (0x0008, 0x0020), "Date of study"},
  {DICOM_TAG (0x0008, 0x0021), "Date of series"},
  {DICOM_TAG (0x0008, 0x0022), "Date of acquisition"},
  {DICOM_TAG (0x0008, 0x0023), "Date of image"},
  {DICOM_TAG (0x0008, 0x002a), "Time of acquisition"},
  {DICOM_TAG (0x0008, 0x0030), "Time of study"},
  {DICOM_TAG (0x0008, 0x0050), "Accession number"},
  {DICOM_TAG (0x0008, 0x0070), "Manufacturer"},
  {DICOM_TAG (0x0008, 0x0080), "Institution"},
  {DICOM_TAG (0x0008, 0x0081), "Address of institution"},
  {DICOM_TAG (0x0008, 0x0090), "Referring physician"},
  {DICOM_TAG (0x0008, 0x1010), "Station"},
  {DICOM_TAG (0x0008, 0x1030), "Study"},
  {DICOM_TAG (0x0008, 0x103e), "Series"},
  {DICOM_TAG (0x0008, 0x1040), "Department"},
  {DICOM_TAG (0x0008, 0x1048), "Physician of record"},
  {DICOM_TAG (0x0008, 0x1050), "Performing physician"},
  {DICOM_TAG (0x0008, 0x1060), "Reading physician"},
  {DICOM_TAG (0x0008, 0x1070), "Operator"},
  {DICOM_TAG (0x0008, 0x1080), "Admitting diagnosis"},
  {DICOM_TAG (0x0008, 0x1090), "Model"},
  {DICOM_TAG (0x0010, 0x0010), "Patient's name"},
  {DICOM_TAG (0x0010, 0x0020), "Patient's ID"},
  {DICOM_TAG (0x0010, 0x0030), "Patient's birth date"},
  {DICOM_TAG (0x0010, 0x0032), "Patient's birth time"},
  {DICOM_TAG (0x0010, 0x0040), "Patient's sex"},
  {DICOM_TAG (0x0010, 0x1000), "Patient's other IDs"},
  {DICOM_TAG (0x0010, 0x1001), "Patient's other names"},
  {DICOM_TAG (0x0010, 0x1005), "Patient's birth name"},
  {DICOM_TAG (0x0010, 0x1010), "Patient's age"},
  {DICOM_TAG (0x0010, 0x1020), "Patient's height (m)"},
  {DICOM_TAG (0x0010, 0x1030), "Patient's weight (kg)"},
  {DICOM_TAG (0x0010, 0x1040), "Patient's address"},
  {DICOM_TAG (0x0010, 0x2154), "Patient's telephone"},
  {DICOM_TAG (0x0010, 0x2160), "Patient's ethnic group"},
  {DICOM_TAG (0x0010, 0x21b0), "Patient's history"},
  {DICOM_TAG (0x0010, 0x4000), "Comments on the patient"},
  {DICOM_TAG (0x0018, 0x1000), "Serial number of the device"},
  {DICOM_TAG (0x0018, 0x1030), "Protocol"},
  {DICOM_TAG (0x0020, 0x000d), "UID of study"},
  {DICOM_TAG (0x0020, 0x000e), "UID of series"},
  {DICOM_TAG (0x0020, 0x0010), "ID of study"},
  {DICOM_TAG (0x0020, 0x4000), "Comments on the image"},
  {DICOM_TAG (0x0032, 0x1032), "Requesting physician"},
  {DICOM_TAG (0x0032, 0x1060), "Requested procedure"},
};

static const char *
label_of (guint32 tag)
{
  for (guint i = 0; i < G_N_ELEMENTS (attributes); i++)
    if (attributes[i].tag == tag)
      return attributes[i].label;
  return NULL;
}

/* For g_convert(), of the first of the character sets (PS3.3, C.12.1.1.2); NULL: UTF-8 or ASCII. */
static const char *
encoding_of (const char *set)
{
  static const char *const names[][2] = {{"100", "ISO-8859-1"},  {"101", "ISO-8859-2"}, {"109", "ISO-8859-3"},
                                         {"110", "ISO-8859-4"},  {"144", "ISO-8859-5"}, {"127", "ISO-8859-6"},
                                         {"126", "ISO-8859-7"},  {"138", "ISO-8859-8"}, {"148", "ISO-8859-9"},
                                         {"203", "ISO-8859-15"}, {"166", "TIS-620"},    {"13", "SHIFT_JIS"}};
  const char *number = set && g_str_has_prefix (set, "ISO_IR ") ? set + strlen ("ISO_IR ") : NULL;
  if (set && (!strcmp (set, "GB18030") || !strcmp (set, "GBK")))
    return set;
  for (guint i = 0; number && i < G_N_ELEMENTS (names); i++)
    if (!strcmp (number, names[i][0]))
      return names[i][1];
  return NULL;
}

static void
add (GString *to, const char *label, const char *value, const char *encoding)
{
  g_autofree char *converted = encoding ? g_convert (value, -1, "UTF-8", encoding, NULL, NULL, NULL) : NULL;
  g_autofree char *shown = text_visible (converted ? converted : value, "");
  if (*shown)
    g_string_append_printf (to, "%s: %s\n", label, shown);
}

char *
dicom_personal (const DicomFile *file, GError **error)
{
  g_autoptr (FilesBytes) bytes = dicom_file_bytes (file, error);
  g_autoptr (GString) text = g_string_new (NULL);
  const char *encoding = NULL;
  const DicomSyntax *syntax;
  DicomElement e;
  if (!bytes)
    return NULL;
  DicomElements from = dicom_elements_of (bytes, &syntax);
  while (dicom_next (&from, &e) && e.tag >> 16 <= 0x0032) {
    const char *label = label_of (e.tag);
    g_autofree char *value = label || e.tag == CHARACTER_SET ? dicom_text (&from, &e) : NULL;
    if (value && label)
      add (text, label, value, encoding);
    else if (value)
      encoding = encoding_of (value);
    if (!dicom_skip (&from, &e))
      break;
  }
  return text->len ? g_strdup (text->str) : NULL;
}
