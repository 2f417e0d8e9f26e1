# usage: complete.zsh FOLDER LINE: prints the line as an interactive zsh completes it
zmodload zsh/zpty
zpty shell zsh -f -i
# The second line is what the key tab does: it completes and shows the line between two marks.
zpty -w shell "PS1= PS2= fpath=($1 \$fpath); autoload -U compinit; compinit -D -u"
zpty -w shell 'show() { zle complete-word; print -r -- "<<$BUFFER>>"; zle kill-whole-line; zle accept-line }'
zpty -w shell 'zle -N show; bindkey "^I" show; print ready'
zpty -r -m shell seen '*ready*ready*'
zpty -w -n shell "$2"$'\t'
zpty -r -m shell seen '*<<*>>*'
print -r -- "${${seen##*<<}%%>>*}"
zpty -d shell
