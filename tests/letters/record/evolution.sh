#!/bin/sh
# Records replies of Evolution: xvfb-run -a -s '-screen 0 1200x900x24' sh evolution.sh LETTER FOLDER
# LETTER is what they answer (ours.py), FOLDER gets evolution-KIND-SHAPE.eml. Wants evolution, openbox, xdotool and dbus.
set -u
ours=$(realpath "$1") out=$(realpath "$2")
orders='Hello,

HOME Dublin
1a) (Dublin) - Drogheda
1b) (Dublin) - AC17

Ann
'
export LANG=C.UTF-8 GSETTINGS_BACKEND=keyfile
openbox &

source_of() { # NAME PARENT: a source of Evolution, what is read are its sections
    { printf '[Data Source]\nDisplayName=%s\nEnabled=true\nParent=%s\n' "$1" "$2"; cat; } \
        > "$HOME/.config/evolution/sources/$1.source"
}

window() { # the window whose name holds this, as soon as it is there
    xdotool search --sync --onlyvisible --name "$1" windowmove 0 0 windowsize 1000 800 windowactivate
    sleep 2
}

begin() {
    dbus-run-session -- sh -c 'echo $$ > "$HOME/pid"; exec evolution --component=mail' > "$HOME/log" 2>&1 &
}

end() { kill -9 "$(cat "$HOME/pid")" $!; sleep 2; }
keys() { for key in "$@"; do xdotool key "$key"; sleep 0.5; done; }
lines() {
    printf '%s\n' "$1" | while read -r line; do
        xdotool type --delay 40 "$line"
        sleep 0.5
        xdotool key Return
    done
}

for kind in html plain; do
    for shape in top below form; do
        HOME=$(mktemp -d) && export HOME
        export XDG_RUNTIME_DIR="$HOME"
        mkdir -p "$HOME/.config/evolution/sources" "$HOME/.config/glib-2.0/settings"
        source_of ann '' <<INI
[Mail Account]
BackendName=none
IdentityUid=identity
INI
        source_of identity ann <<INI
[Mail Composition]
DraftsFolder=folder://local/Drafts
[Mail Identity]
Address=ann@example.org
Name=Ann
[Mail Submission]
SentFolder=folder://local/Sent
TransportUid=transport
INI
        source_of transport ann <<INI
[Mail Transport]
BackendName=sendmail
[Sendmail Backend]
UseCustomBinary=true
CustomBinary=$HOME/sendmail
SendInOffline=true
INI
        printf '#!/bin/sh\ncat > "%s/evolution-%s-%s.eml"\n' "$out" "$kind" "$shape" > "$HOME/sendmail"
        chmod +x "$HOME/sendmail"
        cat > "$HOME/.config/glib-2.0/settings/keyfile" <<INI
[org/gnome/evolution]
version='3.46.4'
[org/gnome/evolution/mail]
prompt-on-accel-send=false
prompt-on-unwanted-html=false
prompt-on-composer-mode-switch=false
composer-mode='$(test $kind = html && echo html || echo plain-text)'
INI
        begin
        window '^Mail' # its folders are made
        end
        cp "$ours" "$HOME/.local/share/evolution/mail/local/new/1.mail"
        begin
        window '^Mail'
        xdotool mousemove 80 194 click 1 # the inbox
        sleep 3
        xdotool mousemove 500 196 click 1 # the letter
        sleep 2
        keys ctrl+r
        window '^Re: '
        case $shape in
        top)
            keys ctrl+Home
            lines "$orders"
            ;;
        below)
            keys ctrl+End Return
            lines "$orders"
            ;;
        form)
            keys ctrl+f
            lines 'ORDERS RR1 1'
            keys Escape
            for line in ' Dublin' ' (Dublin) - Drogheda' ' (Dublin) - AC17'; do
                keys Down End
                xdotool type --delay 40 "$line"
            done
            ;;
        esac
        keys ctrl+Return
        for _ in $(seq 20); do [ -s "$out/evolution-$kind-$shape.eml" ] && break; sleep 1; done
        sleep 1
        end
    done
done
