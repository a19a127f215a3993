#!/bin/sh
# Records replies of the mail programs of a terminal: sh terminal.sh LETTER FOLDER
# LETTER is what they answer (ours.py), FOLDER gets PROGRAM-SHAPE.eml. Wants mutt, neomutt, alpine, emacs and tmux.
set -u
here=$(cd "$(dirname "$0")" && pwd) ours=$(realpath "$1") out=$(realpath "$2") work=$(mktemp -d)
export HOME="$work" NAME=Ann EMAIL=ann@example.org TERM=xterm LANG=C.UTF-8 HOSTNAME=mail.example.org
{ echo "From referee@club.example Mon Dec  7 12:00:00 2026"; cat "$ours"; echo; } > "$work/fresh"

shown() { # run in a terminal until it ends, at most a minute; keys: KEY KEY ..., sent a second apart
    tmux -L record new-session -d -s "$work" -x 100 -y 40 "$1"
    shift
    for key in "$@"; do sleep 2; tmux -L record send-keys "$key"; done
    for _ in $(seq 60); do tmux -L record has-session 2>/dev/null || return 0; sleep 1; done
    tmux -L record capture-pane -p >&2
    tmux -L record kill-server
}

sink() { # a sendmail that keeps the letter as PROGRAM-SHAPE.eml
    printf '#!/bin/sh\ncat > "%s/%s.eml"\n' "$out" "$1" > "$work/sendmail"
    printf '#!/bin/sh\nfor f; do :; done\nexec python3 "%s/edit.py" "%s" "$f"\n' "$here" "$2" > "$work/editor"
    chmod +x "$work/sendmail" "$work/editor"
    cp "$work/fresh" "$work/mbox"
}

for shape in top below form; do
    for program in mutt neomutt; do
        sink "$program-$shape" "$shape"
        cat > "$work/rc" <<RC
set realname=Ann from=ann@example.org use_from hostname=mail.example.org sendmail=$work/sendmail editor=$work/editor
set include=yes abort_unmodified=no recall=no copy=no confirmappend=no quit=yes wait_key=no fast_reply=yes folder=$work
set user_agent=yes mark_old=no sleep_time=0
push '<reply><send-message><quit>'
RC
        shown "$program -n -F $work/rc -f $work/mbox"
    done
    sink "gnus-$shape" "$shape"
    emacs --batch --no-site-file -l "$here/gnus.el" "$work/mbox" "$work/sendmail" "$work/editor"
    sink "alpine-$shape" "$shape"
    cat > "$work/pinerc" <<RC
personal-name=Ann
user-domain=example.org
user-id=ann
inbox-path=$work/mbox
sendmail-path=$work/sendmail
editor=$work/editor
feature-list=include-text-in-reply,enable-alternate-editor-implicitly,quell-user-id-prompt
default-fcc=""
RC
    shown "alpine -p $work/pinerc -f $work/mbox -i" E R y C-x y q y
    sed -i 's/^From: Ann <[^@]*/From: Ann <ann/' "$out/alpine-$shape.eml" # it takes the name of whoever runs it
done
