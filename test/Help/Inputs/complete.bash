# usage: complete.bash SCRIPT WORD...: prints what bash completes the last word to, one a line
source "$1"
shift
# Outside of a completion that a user asks for, there are no settings of one.
compopt() { :; }
# Readline separates words at '='.
COMP_WORDS=()
for word in "$@"; do
  if [[ $word = -*=* ]]; then
    COMP_WORDS+=("${word%%=*}" "=")
    [ -n "${word#*=}" ] && COMP_WORDS+=("${word#*=}")
  else
    COMP_WORDS+=("$word")
  fi
done
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_regrain "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
# Readline shows a word once, however often it is found: a program is found in each folder of PATH.
printf '%s\n' "${COMPREPLY[@]}" | awk '!seen[$0]++'
