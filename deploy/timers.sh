#!/bin/sh
# What the timers of systemd do, for containers: every five minutes mails that failed, and from four in the morning on,
# once a day, the rest. A backup is kept for two weeks. With "once" it does everything now, and ends.
set -u
backups=${BACKUPS:-/backups}

daily() {
    python manage.py expire_redemptions
    python manage.py expire_points
    python manage.py check_ledger
    python manage.py check_sums
    python manage.py verify_journal
    file="$backups/regulars-$(date +%F).dump"
    [ -e "$file" ] || python manage.py backup "$file"
    find "$backups" -name 'regulars-*.dump' -mtime +14 -delete
}

if [ "${1:-}" = once ]; then
    python manage.py send_notifications
    daily
    exit
fi

last=
trap 'exit 0' TERM INT
while :; do
    python manage.py send_notifications
    if [ "$(date +%F)" != "$last" ] && [ "$(date +%H)" -ge 4 ]; then
        last=$(date +%F)
        daily
    fi
    sleep 300 &
    wait $!
done
