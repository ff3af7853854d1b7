/* SPDX-License-Identifier: MIT
 *
 * The ELF header, the program headers and the section headers: all that they tell of must lie inside the file. The section
 * headers are no part of a running program, but linkers write them last, so that a file without its end is known by them.
 * Reference: Tool Interface Standard, Executable and Linking Format, version 1.2.
 */
#include "core/ops/module_elf.h"

#include "core/base/file_read.h"

#include <link.h>
#include <string.h>
#include <unistd.h>

typedef ElfW (Ehdr) Header;
typedef ElfW (Phdr) Segment;
typedef ElfW (Shdr) Section;

typedef struct {
  int fd;
  guint64 size;
  Header header;
} Elf;

/* Whether `bytes` from `offset` on are in the file. */
static gboolean
inside (const Elf *elf, guint64 offset, guint64 bytes)
{
  return offset <= elf->size && bytes <= elf->size - offset;
}

static gboolean
read_at (const Elf *elf, guint64 offset, gpointer to, gsize bytes)
{
  return inside (elf, offset, bytes) && pread (elf->fd, to, bytes, (off_t) offset) == (gssize) bytes;
}

/* What this program itself is: class, byte order and machine. */
static gboolean
is_for_this_machine (const Header *header)
{
  struct stat about;
  Elf self = {.fd = file_open_regular ("/proc/self/exe", 0, &about, NULL)};
  if (self.fd < 0)
    return TRUE; /* dlopen() will say */
  self.size = (guint64) about.st_size;
  gboolean same = read_at (&self, 0, &self.header, sizeof self.header)
                  && !memcmp (header->e_ident, self.header.e_ident, EI_DATA + 1)
                  && header->e_machine == self.header.e_machine;
  close (self.fd);
  return same;
}

/* Why the segments cannot be loaded, or NULL. */
static const char *
segments_fault (const Elf *elf)
{
  const Header *h = &elf->header;
  gboolean loads = FALSE, dynamic = FALSE;
  if (h->e_phentsize != sizeof (Segment))
    return "is damaged: its segments have an unknown size.";
  for (guint i = 0; i < h->e_phnum; i++) {
    Segment s;
    if (!read_at (elf, h->e_phoff + (guint64) i * sizeof s, &s, sizeof s) || !inside (elf, s.p_offset, s.p_filesz))
      return "is cut off: a part of it is missing.";
    if (s.p_type == PT_LOAD && (s.p_filesz > s.p_memsz || s.p_vaddr + s.p_memsz < s.p_vaddr))
      return "is damaged: a segment has an impossible size.";
    loads |= s.p_type == PT_LOAD;
    dynamic |= s.p_type == PT_DYNAMIC && s.p_filesz;
  }
  return loads && dynamic ? NULL : "is not a shared library: it has nothing to load.";
}

static const char *
sections_fault (const Elf *elf)
{
  const Header *h = &elf->header;
  if (!h->e_shoff) /* taken away */
    return NULL;
  if (h->e_shentsize != sizeof (Section))
    return "is damaged: its sections have an unknown size.";
  for (guint i = 0; i < h->e_shnum; i++) {
    Section s;
    if (!read_at (elf, h->e_shoff + (guint64) i * sizeof s, &s, sizeof s)
        || (s.sh_type != SHT_NOBITS && s.sh_type != SHT_NULL && !inside (elf, s.sh_offset, s.sh_size)))
      return "is cut off: a part of it is missing.";
  }
  return NULL;
}

static const char *
fault_of (Elf *elf)
{
  Header *h = &elf->header;
  const char *fault;
  if (!read_at (elf, 0, h, sizeof *h) || memcmp (h->e_ident, ELFMAG, SELFMAG))
    return "is not a shared library.";
  if (!is_for_this_machine (h))
    return "is a shared library for another kind of machine.";
  if (h->e_type != ET_DYN)
    return "is not a shared library, but another kind of ELF file.";
  return (fault = segments_fault (elf)) ? fault : sections_fault (elf);
}

gboolean
module_elf_check (const char *path, GError **error)
{
  struct stat about;
  Elf elf = {.fd = file_open_regular (path, 0, &about, error)};
  if (elf.fd < 0)
    return FALSE;
  elf.size = (guint64) about.st_size;
  const char *fault = fault_of (&elf);
  close (elf.fd);
  return !fault || file_fail (error, FILE_ERROR_FORMAT, path, "%s", fault);
}
