/* SPDX-License-Identifier: MIT
 *
 * arc4random_buf() of C libraries before 2.36, which do not have it.
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/random.h>

void arc4random_buf (void *bytes, size_t n);

void
arc4random_buf (void *bytes, size_t n)
{
  for (char *p = bytes; n;) {
    ssize_t got = getrandom (p, n, 0);
    if (got > 0) {
      p += got;
      n -= (size_t) got;
    } else if (got < 0 && errno != EINTR)
      abort ();
  }
}
