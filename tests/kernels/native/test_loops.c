/* SPDX-License-Identifier: MIT
 *
 * Checks in the loops of kernels for a GPU: their position in the text, that they change no result, and that they end endless loops.
 */
#include "kernels/native/guard.h"
#include "kernels/native/loops.h"
#include "tests/support/init.h"

#include <gio/gio.h>
#include <glib/gstdio.h>

#define GO "fovea_goes_on ()"
#define ELSE " if (!" GO ") {} else "

/* A preamble or an operation, and what becomes of it; NULL: it stays. */
static const char *const texts[][2] = {
  {"while (x > 0) x--;", "while (x > 0)" ELSE " x--;"},
  {"while (x > 0) { x--; }", "while (x > 0)" ELSE " { x--; }"},
  {"while(f(x,\")\",')'))g();", "while(f(x,\")\",')'))" ELSE "g();"},
  {"while (int y = f ()) g (y);", "while (int y = f ())" ELSE " g (y);"},
  {"while (f ());", "while (" GO " && (f ()));"},
  {"do x--; while (x > 0);", "do x--; while (" GO " && (x > 0));"},
  {"do { x--; } while (x > 0, f ({1, 2}));", "do { x--; } while (" GO " && (x > 0, f ({1, 2})));"},
  {"do while (a) b (); while (c);", "do while (a)" ELSE " b (); while (" GO " && (c));"},
  {"for (;;) {}", "for (;;)" ELSE " {}"},
  {"for(;;)x++;", "for(;;)" ELSE "x++;"},
  {"for (int k = 0; k < n; k++) f (k);", "for (int k = 0; k < n; k++)" ELSE " f (k);"},
  {"for (auto v : a) f (v);", "for (auto v : a)" ELSE " f (v);"},
  {"for (int k = [] { int s = 0; while (s < 3) s++; return s; } (); k; k--) {}",
   "for (int k = [] { int s = 0; while (s < 3)" ELSE " s++; return s; } (); k; k--)" ELSE " {}"},
  {"auto f = [&] (int n) { while (n) n--; };", "auto f = [&] (int n) { while (n)" ELSE " n--; };"},
  {"for (int y = 0; y < n; y++) for (int x = 0; x < 3; x++) while (f ()) g ();",
   "for (int y = 0; y < n; y++)" ELSE " for (int x = 0; x < 3; x++) while (f ())" ELSE " g ();"},
  {"for /* ( */ (;/* ; */;) // )\n  g ();", "for /* ( */ (;/* ; */;)" ELSE " // )\n  g ();"},
  {"while (a) /* ; */ ;", "while (" GO " && (a)) /* ; */ ;"},
  {"#define EVER for (;;)\n#define UNTIL(a) while (!(a))\n#include <while (x)>\n",
   "#define EVER for (;;)" ELSE "\n#define UNTIL(a) while (" GO " && (!(a)))\n#include <while (x)>\n"},
  {"#define F(n) \\\n  do { \\\n f (); \\\n } while (n)\nwhile (a) b ();",
   "#define F(n) \\\n  do { \\\n f (); \\\n } while (" GO " && (n))\nwhile (a)" ELSE " b ();"},
  {"again: x++; if (x) goto again;", "again: " GO "; x++; if (x) goto again;"},
  {"{ x = a ? b : c; } end :\n;", "{ x = a ? b : c; } end : " GO ";\n;"},
  {"while (a/b) c%=d;", "while (a * fovea_divide () * b)" ELSE " c *= fovea_modulo () >>= d;"},
  /* What counts through a few numbers. */
  {"for (int i = -1; i <= 1; i++) f (i);", NULL},
  {"for (int i=0;i<9;++i) { f (i == 3, i <= 2, i >= 1); }", NULL},
  {"for (unsigned int i = 2 * 8; i < 256; i += 3) f (i);", NULL},
  {"for (long i = (3 + 1); i > 0; i -= 2) f (i);", NULL},
  {"for (size_t k = 0; k < 4; k++) for (size_t j = 0; j < 4; j++) f (j, k);", NULL},
  {"#define R 3\nconst int S = R + 1, T = 2; enum { A = 1, B = S };\n"
   "for (int k = -R; k <= S; k++) for (int j = T; j < B; j++) f (k, j);",
   NULL},
  /* What seems to. */
  {"for (int i = 0; i < 3; i--) {}", "for (int i = 0; i < 3; i--)" ELSE " {}"},
  {"for (int i = 0; i < 3; i += 0) {}", "for (int i = 0; i < 3; i += 0)" ELSE " {}"},
  {"for (int i = 0; i < 1000000; i++) {}", "for (int i = 0; i < 1000000; i++)" ELSE " {}"},
  {"for (int i = 0; i < 1'00; i++) {}", "for (int i = 0; i < 1'00; i++)" ELSE " {}"},
  {"for (uint8_t i = 0; i < 256; i++) {}", "for (uint8_t i = 0; i < 256; i++)" ELSE " {}"},
  {"for (unsigned i = 9; i >= 0; i--) {}", "for (unsigned i = 9; i >= 0; i--)" ELSE " {}"},
  {"for (float v = 0; v < 3; v += 1e-9) {}", "for (float v = 0; v < 3; v += 1e-9)" ELSE " {}"},
  {"for (int i = 0; j < 3; i++) {}", "for (int i = 0; j < 3; i++)" ELSE " {}"},
  {"for (int i = 0; i < 3; j++) {}", "for (int i = 0; i < 3; j++)" ELSE " {}"},
  {"for (int i = 0; i != 3; i++) {}", "for (int i = 0; i != 3; i++)" ELSE " {}"},
  {"for (int i = 0; i < 3 || x; i++) {}", "for (int i = 0; i < 3 || x; i++)" ELSE " {}"},
  {"for (int i = 0; i < 3; i++, i--) {}", "for (int i = 0; i < 3; i++, i--)" ELSE " {}"},
  {"for (; i < 3; i++) {}", "for (; i < 3; i++)" ELSE " {}"},
  {"for (int i = 0; i < 3; i++) i = 0;", "for (int i = 0; i < 3; i++)" ELSE " i = 0;"},
  {"for (int i = 0; i < 3; i++) { if (x) --i; }", "for (int i = 0; i < 3; i++)" ELSE " { if (x) --i; }"},
  {"for (int i = 0; i < 3; i++) i>>=1;", "for (int i = 0; i < 3; i++)" ELSE " i *= fovea_right () >>= 1;"},
  {"for (int i = 0; i < 3; i++) f (&i);", "for (int i = 0; i < 3; i++)" ELSE " f (&i);"},
  {"const int n = f (3); for (int i = 0; i < n; i++) {}",
   "const int n = f (3); for (int i = 0; i < n; i++)" ELSE " {}"},
  {"void f (const int n = 3) { for (int i = 0; i < n; i++); }",
   "void f (const int n = 3) { for (int i = 0; i < n; i++)" ELSE "; }"},
  {"#define N N\nfor (int i = 0; i < N; i++) {}", "#define N N\nfor (int i = 0; i < N; i++)" ELSE " {}"},
  /* Text that is not a loop. */
  {"do { x = 1; } while (0);", NULL},
  {"do { x = 1; } while (false);", NULL},
  {"s = \"while (1) {}\"; c = 'f'; // for (;;) {}\n/* again: while (x) */", NULL},
  {"int format (int whiled); forward (x); a.fore = 1;", NULL},
  {"switch (x) { case 1: default: f (); case B: g (); }", NULL},
  {"struct A { public: int a : 3; private: std::vector<int> b; }; ::f (); std::g ();", NULL},
  {"constexpr int f (int n) { int s = 0; while (n) s += n--; return s; }", NULL},
  {"while", NULL},
  {"for (", NULL},
  {"x = 1; while (x", NULL},
};

/* Free with g_free(). */
static char *
with_checks (const char *code)
{
  text s = {.size = GUARD_GROWTH * strlen (code) + 1};
  s.at = g_malloc0 (s.size);
  text_add_with_checks (&s, code, "");
  return s.at;
}

static void
test_texts (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autofree char *text = with_checks (texts[i][0]);
    g_assert_cmpstr (text, ==, texts[i][1] ? texts[i][1] : texts[i][0]);
  }
}

/* Constants of the preamble count in the operation. */
static void
test_preamble (void)
{
  const char *code = "for (int i = 0; i < R; i++) f (i);";
  char buffer[1024] = "";
  text s = {buffer, 0, sizeof buffer};
  text_add_with_checks (&s, code, "constexpr int R = 5;");
  g_assert_cmpstr (buffer, ==, code);
}

/* Functions `int f (int n)`: some end and have results, the others do not. */
static const char *const ending[] = {
  "int s = 0; while (n) s += n--; return s;",
  "int s = 0; while (int k = n--) { if (k == 2) continue; if (k == 1) break; s += k; } return s;",
  "int s = 0; do s += n; while (n-- > 0); return s;",
  "int s = 0; do { if (n == 3) continue; s += n; } while (n-- > 0 && s < 9); return s;",
  "int s = 0; if (n > 2) while (n > 0) n--; else s = 7; return s + n;",
  "int s = 0; if (n > 2) for (int k = 0; k < n; k++) if (k > 1) s++; else s += 2; else s = 7; return s;",
  "int s = 0; for (int k = 0; k < n; k++) for (int j = 0; j < k; j++) { if (j == 2) break; s += j + 1; } return s;",
  "int s = 0, a[] = {1, 2, 3}; for (int v : a) s += v * n; return s;",
  "int s = 0; for (int k = 0, j = n; k < j; k++, j--) s++; for (;;) { if (s++ > n) break; } return s;",
  "auto f = [] (int k) { int s = 0; while (k-- > 0) s += k; return s; }; return f (n) + f (n + 1);",
  "int s = 0; again: s += n; if (n-- > 0) goto again; return s;",
  "int s = 0;\n#define TURNS(k) for (int i = 0; i < k; i++)\nTURNS (n) s++; TURNS (3) { s += 2; }\nreturn s;",
  "int s = 0;\n#define ADD(k) do { s += k; } while (0)\nif (n > 1) ADD (n); else ADD (1); return s;",
  "int s = 0; switch (n) { case 0: do { s++; case 1: s += 2; case 2: s += 3; } while (n++ < 3); } return s;",
  "int s = 0; for (int k = 0; k < 3; k++) for (int j = 0; j < 2; j++) s += j * k * n; return s;",
};
static const char *const endless[] = {
  "while (1); return n;",
  "while (true) n ^= 1; return n;",
  "do n ^= 1; while (n < 3); return n;",
  "for (;;); return n;",
  "for (unsigned char k = 0; k < 256; k++) n ^= k; return n;",
  "for (unsigned k = 3; k >= 0; k--) n ^= k; return n;",
  "for (int k = 0; k < 3; k++) { n ^= k; k = 0; } return n;",
  "while (int k = n | 1) n = k; return n;",
  "for (int k = 0; k < 2; k++) { while (n < 9) { if (n == 9) break; } } return n;",
  "auto f = [&] { for (;;) n ^= 1; }; f (); return n;",
  "again: n ^= 1; goto again; return n;",
  "again: while (n) n--; goto again;",
  "\n#define EVER for (;;)\nEVER n ^= 1; return n;",
};

static void
add_functions (GString *program, const char *const *bodies, gsize n, const char *space)
{
  g_string_append_printf (program, "namespace %s {\n", space);
  for (gsize i = 0; i < n; i++) {
    g_autofree char *checked = g_str_has_prefix (space, "plain") ? g_strdup (bodies[i]) : with_checks (bodies[i]);
    g_string_append_printf (program, "int f%d (int n) {\n%s\n}\n", (int) i, checked);
    g_string_append (program, "#undef TURNS\n#undef ADD\n#undef EVER\n");
  }
  g_string_append_printf (program, "int (*const all[]) (int) = {");
  for (gsize i = 0; i < n; i++)
    g_string_append_printf (program, "f%d, ", (int) i);
  g_string_append (program, "};\n}\n");
}

static const char before[] = "#include <cstdio>\n"
                             "static int turns;\n"
                             "static bool fovea_goes_on () { if (++turns > 100000) throw 1; return true; }\n";
static const char after[] = "int main ()\n"
                            "{\n"
                            "  int wrong = 0;\n"
                            "  for (int k = 0; k < sizeof plain::all / sizeof *plain::all; k++)\n"
                            "    for (int n = 0; n < 6; n++)\n"
                            "      if (plain::all[k] (n) != checked::all[k] (n) && ++wrong)\n"
                            "        printf (\"%d differs at %d\\n\", k, n);\n"
                            "  for (int k = 0; k < sizeof checked_endless::all / sizeof *checked_endless::all; k++)\n"
                            "    try {\n"
                            "      turns = 0;\n"
                            "      checked_endless::all[k] (1);\n"
                            "      printf (\"%d ended by itself\\n\", k);\n"
                            "      wrong++;\n"
                            "    } catch (int) {\n"
                            "    }\n"
                            "  return wrong;\n"
                            "}\n";

static void
test_runs (void)
{
  g_autofree char *folder = g_dir_make_tmp ("fovea-loops-XXXXXX", NULL);
  g_autofree char *source = g_build_filename (folder, "loops.cpp", NULL),
                  *made = g_build_filename (folder, "loops", NULL);
  g_autofree char *command = g_strdup_printf ("c++ -std=c++17 -w -O0 -o %s %s", made, source);
  g_autofree char *said = NULL;
  g_autoptr (GString) program = g_string_new (before);
  g_autoptr (GError) error = NULL;
  int status;
  add_functions (program, ending, G_N_ELEMENTS (ending), "plain");
  add_functions (program, ending, G_N_ELEMENTS (ending), "checked");
  add_functions (program, endless, G_N_ELEMENTS (endless), "checked_endless");
  g_string_append (program, after);
  g_assert_true (g_file_set_contents (source, program->str, -1, NULL));
  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, &status, &error));
  g_assert_true (g_spawn_check_wait_status (status, NULL));
  g_assert_true (g_spawn_command_line_sync (made, &said, NULL, &status, &error));
  g_assert_cmpstr (said, ==, "");
  g_assert_true (g_spawn_check_wait_status (status, NULL));
  g_remove (source), g_remove (made), g_remove (folder);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/loops/texts", test_texts);
  g_test_add_func ("/loops/preamble", test_preamble);
  g_test_add_func ("/loops/runs", test_runs);
  return g_test_run ();
}
