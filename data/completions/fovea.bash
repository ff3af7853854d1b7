# SPDX-License-Identifier: MIT
# Completion of fovea for bash. What can be completed is known by the program, which is asked at each press of Tab.
_fovea() {
  local text shown help whole=
  compopt -o nospace
  while IFS=$'\t' read -r text shown help; do
    case $text in
      :files) compopt +o nospace -o filenames && mapfile -t COMPREPLY < <(compgen -f -- "$2") ;;
      :folders) compopt +o nospace -o filenames && mapfile -t COMPREPLY < <(compgen -d -- "$2") ;;
      *)
        # A list, which changes no text, shows the last word and its help.
        [ "$COMP_TYPE" = 63 ] && text=$shown${help:+  -- $help} || whole=$text
        COMPREPLY+=("$text")
        ;;
    esac
  done < <("${1/#\~/$HOME}" complete "${COMP_LINE:0:COMP_POINT}" "$2" 2>/dev/null)
  # After a single one bash would close the quotes that it is in.
  [ -z "$whole" ] || [ ${#COMPREPLY[@]} != 1 ] || COMPREPLY+=("$whole ")
}
complete -F _fovea fovea
