#!/bin/sh
# Records replies of Claws Mail: xvfb-run -a sh claws.sh LETTER FOLDER
# LETTER is what they answer (ours.py), FOLDER gets claws-SHAPE.eml. Wants claws-mail, openbox, xdotool and dbus.
set -u
here=$(cd "$(dirname "$0")" && pwd) ours=$(realpath "$1") out=$(realpath "$2")
export LANG=C.UTF-8 NO_AT_BRIDGE=1
openbox &

focus() { # the window whose name holds this, as soon as it is there
    xdotool search --sync --onlyvisible --name "$1" windowfocus
    sleep 1
}

for shape in top below form; do
    HOME=$(mktemp -d) && export HOME
    mkdir -p "$HOME/.claws-mail" "$HOME/Mail/inbox" "$HOME/Mail/sent" "$HOME/Mail/draft" "$HOME/Mail/queue" "$HOME/Mail/trash"
    cp "$ours" "$HOME/Mail/inbox/1"
    cat > "$HOME/.claws-mail/accountrc" <<RC
[Account: 1]
account_name=ann
is_default=1
name=Ann
address=ann@example.org
protocol=5
smtp_server=127.0.0.1
set_domain=1
domain=mail.example.org
RC
    cat > "$HOME/.claws-mail/folderlist.xml" <<XML
<?xml version="1.0" encoding="UTF-8"?>
<folderlist>
<folder name="Mail" type="mh" path="$HOME/Mail">
<folderitem type="inbox" name="inbox" path="inbox" />
<folderitem type="outbox" name="sent" path="sent" />
<folderitem type="draft" name="draft" path="draft" />
<folderitem type="queue" name="queue" path="queue" />
<folderitem type="trash" name="trash" path="trash" />
</folder>
</folderlist>
XML
    cat > "$HOME/.claws-mail/clawsrc" <<RC
[Common]
config_version=4
work_offline=1
auto_ext_editor=1
ext_editor_command=python3 $here/edit.py $shape %s
enable_enchant=0
enable_aspell=0
confirm_on_exit=0
RC
    dbus-run-session -- sh -c 'echo $$ > "$HOME/pid"; exec claws-mail --select "#mh/Mail/inbox/1"' > "$HOME/log" 2>&1 &
    focus 'ann - Claws Mail'
    xdotool key ctrl+r # the editor comes by itself
    focus 'Compose'
    sleep 3
    xdotool key ctrl+shift+s # into the queue
    for _ in $(seq 20); do ls "$HOME"/Mail/queue/[0-9]* 2>/dev/null && break; sleep 1; done
    # What Claws Mail tells itself stands above the letter in the queue.
    sed '1,/^X-Claws-End-Special-Headers:/d' "$HOME"/Mail/queue/[0-9]* > "$out/claws-$shape.eml"
    kill "$(cat "$HOME/pid")"
    wait $!
done
