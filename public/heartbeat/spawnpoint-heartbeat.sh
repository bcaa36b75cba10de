#!/bin/sh
# Reports a game server of this machine to a Spawnpoint site, only while the game runs. It sends two numbers: no names and no
# addresses. It needs sh, curl, and what Linux has anyway (ss, ps, awk, sed; systemctl and journalctl where a unit is named).
#
#   spawnpoint-heartbeat install GAME SITE_URL TOKEN [NAME] [SETTING=VALUE ...]
#                              sets it up as the service spawnpoint-heartbeat@NAME (as root)
#   spawnpoint-heartbeat run   reports every half minute, until it is stopped
#   spawnpoint-heartbeat once  reports once (for cron)
#   spawnpoint-heartbeat count prints the report and sends nothing
#
# GAME is palworld, valheim, aion, tera, skyrim, or other: any game. NAME is GAME, unless there are several of it on this machine.
# Settings, from the environment (the service has them from /etc/spawnpoint-heartbeat/NAME.env):
#   GAME, SITE_URL, TOKEN  as above
#   PORT      where the game listens, UDP or TCP: 8212 (Palworld's REST), 7777 (Aion), 7801 (Tera), 10578 (Skyrim Together)
#   PROCESS   the file name of its program, or several: valheim_server.x86_64
#   UNIT      its service of systemd, whose journal is read, too: valheim, skyrim-together
#   LOG       the file that is read instead of a journal
#   PLAYERS   how a line of the log tells the number of players: an extended regular expression. The first number in what it
#             matches counts, of the last line with a match: 'Players online: [0-9]+'
#   START     a line that the game writes when it starts: what the log told before is forgotten
#   PASSWORD  Palworld's admin password; it stays on this machine
#   MAX       the number of slots, where the game does not tell it
#   EVERY     seconds between two reports: 30
#
# "other" needs PORT, PROCESS or UNIT; where several are set, all have to be up. Without PLAYERS the number of players is unknown.
set -eu

complain() {
  printf 'spawnpoint-heartbeat: %s\n' "$*" >&2
}

# Whether something listens at a port of this machine: udp 2456.
listens() {
  case $1 in
    udp) found=$(ss -Hlun "sport = :$2") ;;
    *) found=$(ss -Hltn "sport = :$2") ;;
  esac
  [ -n "$found" ]
}

# Whether a program with one of these file names runs. A line of "ps" begins with the program; Wine, Java and their like name the
# one that they run among the arguments. An editor or "tail" that has such a name as its argument is no game.
runs() {
  ps -eo args= | awk -v names="$*" '
    function base(word) { sub(/.*[\/\\]/, "", word); return word }
    BEGIN { count = split(names, list, " "); for (i = 1; i <= count; i++) wanted[list[i]] = 1 }
    {
      last = 1
      if (base($1) ~ /^(wine(64)?(-preloader)?|java|mono|dotnet|box(64|86)|node|python3?)$/ || $1 ~ /^[A-Za-z]:\\/) last = NF
      for (i = 1; i <= last; i++) if (base($i) in wanted) { found = 1; exit }
    }
    END { exit !found }'
}

# What the game has written since the machine started; only the end of it where that is very much.
read_log() {
  if [ -n "${LOG:-}" ]; then
    tail -n 100000 "$LOG"
  else
    journalctl --no-pager -q -b -o cat -n 100000 -u "${UNIT:-$1}"
  fi
}

# Each of these sets players (a number, or null: nobody can tell) and max, and fails where the game does not run.

# Its own interface, asked on this machine. The password goes in by a pipe: the list of processes shows what is called.
count_palworld() {
  told=$(
    printf 'user = "admin:%s"\n' "$(printf '%s' "${PASSWORD:-}" | sed 's/[\\"]/\\&/g')" |
      curl -fsS --max-time 5 --noproxy '*' -K - "http://127.0.0.1:${PORT:-8212}/v1/api/metrics" | tr -d '\n'
  ) || return 1
  players=$(printf '%s' "$told" | sed -n 's/.*"currentplayernum" *: *\([0-9]\{1,6\}\).*/\1/p')
  max=$(printf '%s' "$told" | sed -n 's/.*"maxplayernum" *: *\([0-9]\{1,6\}\).*/\1/p')
  [ -n "$players" ]
}

# The number that the log tells last, by PLAYERS; nothing since the last START.
players_in_log() {
  players=$(read_log "$1" | PLAYERS=$PLAYERS START=${START:-} awk '
    BEGIN { told = ENVIRON["PLAYERS"]; start = ENVIRON["START"] }
    start != "" && $0 ~ start { number = "" }
    match($0, told) {
      text = substr($0, RSTART, RLENGTH)
      if (match(text, /[0-9]+/) && RLENGTH < 6) number = substr(text, RSTART, RLENGTH) + 0
    }
    END { print number }')
}

# With crossplay it listens at no port: players come through a relay. Its log tells how many are on whenever that changes.
count_valheim() {
  # shellcheck disable=SC2086
  runs ${PROCESS:-valheim_server.x86_64 valheim_server.exe} || return 1
  PLAYERS=${PLAYERS:-'(, now|is active with) [0-9]+ player\(s\)[ \t\r]*$'}
  START=${START:-'Initialize engine version|Mono path\[0\]|Starting to load scene:start'}
  players_in_log valheim
}

# Any game, by what its settings say.
count_other() {
  if [ -z "${PORT:-}${PROCESS:-}${UNIT:-}" ]; then
    complain 'PORT, PROCESS or UNIT has to say what shows that the game runs'
    exit 2
  fi
  [ -z "${PORT:-}" ] || listens udp "$PORT" || listens tcp "$PORT" || return 1
  # shellcheck disable=SC2086
  [ -z "${PROCESS:-}" ] || runs $PROCESS || return 1
  [ -z "${UNIT:-}" ] || systemctl is-active --quiet "$UNIT" || return 1
  [ -z "${PLAYERS:-}" ] || players_in_log other
}

# One connection for each who plays; those of this machine are other parts of the server.
count_connections() {
  listens tcp "$1" || return 1
  players=$(ss -Htn state established "sport = :$1" |
    awk '$4 !~ /^(127\.|\[::1\]|\[::ffff:127\.)/ { n++ } END { print n + 0 }')
}

# It says who comes and who goes by the number of a connection; a start begins anew. Without a start nobody can tell.
count_skyrim() {
  listens udp "${PORT:-10578}" || return 1
  players=$(read_log skyrim-together | awk '
    /Server .* started on port/ { split("", on); begun = 1 }
    /New player .*\[[0-9a-fA-F]+\] connected with/ {
      match($0, /\[[0-9a-fA-F]+\] connected with/)
      id = substr($0, RSTART + 1)
      sub(/\].*/, "", id)
      on[tolower(id)] = 1
    }
    /Connection ended [0-9a-fA-F]+ / {
      match($0, /Connection ended [0-9a-fA-F]+/)
      delete on[tolower(substr($0, RSTART + 17, RLENGTH - 17))]
    }
    END { for (one in on) n++; if (begun) print n + 0 }')
}

count() {
  players=''
  max=''
  case ${GAME:-} in
    palworld) count_palworld ;;
    valheim) count_valheim ;;
    aion) count_connections "${PORT:-7777}" ;;
    tera) count_connections "${PORT:-7801}" ;;
    skyrim) count_skyrim ;;
    other) count_other ;;
    *)
      complain "GAME is palworld, valheim, aion, tera, skyrim or other, not \"${GAME:-}\""
      exit 2
      ;;
  esac || return 1
  max=${max:-${MAX:-null}}
  report=$(printf '{"players":%s,"max_players":%s}' "${players:-null}" "$max")
}

send() {
  printf 'header = "Authorization: Bearer %s"\n' "$TOKEN" |
    curl -fsS --max-time 10 -o /dev/null -K - -H 'Content-Type: application/json' --data "$report" \
      "${SITE_URL%/}/api/v1/heartbeat"
}

# Says what came of it, once for as long as it stays so.
tell() {
  [ "$1" = "${last:-}" ] || complain "$1"
  last=$1
}

once() {
  if ! count; then
    tell 'the game does not run here, or does not answer: nothing is reported'
    return 1
  elif ! send; then
    tell 'the site did not take the report; it is tried again'
    return 1
  fi
  tell 'reporting'
}

run() {
  while :; do
    once || :
    sleep "${EVERY:-30}"
  done
}

SETTINGS='GAME SITE_URL TOKEN PORT PROCESS UNIT LOG PLAYERS START MAX EVERY PASSWORD'

refuse() {
  complain "$*"
  exit 2
}

# Takes a setting from the command line: PORT=7777.
take_setting() {
  case " $SETTINGS " in
    *" ${1%%=*} "*) export "${1%%=*}=${1#*=}" ;;
    *) refuse "there is no setting ${1%%=*}" ;;
  esac
}

# Writes the settings as systemd reads them: in double quotes, with a backslash before what means something there.
write_settings() {
  for key in $SETTINGS; do
    eval "value=\${$key:-}"
    case $value in *"
"*) refuse "$key has to be one line" ;; esac
    [ -n "$value" ] || [ "$GAME $key" = 'palworld PASSWORD' ] || continue
    [ "$key" != PASSWORD ] || echo '# The admin password of PalWorldSettings.ini; it stays here.'
    [ "$key" != UNIT ] || echo '# The service of the game, whose journal is read. Or LOG=, a file.'
    printf '%s="%s"\n' "$key" "$(printf '%s' "$value" | sed 's/[\\"$`]/\\&/g')"
  done
}

# ROOT is put before every path that is written: for packages, and for those who only look.
set_up() {
  [ $# -ge 3 ] || refuse 'install needs GAME SITE_URL TOKEN'
  GAME=$1 SITE_URL=${2%/} TOKEN=$3 name=$1
  shift 3
  case ${1:-=} in
    *=*) ;;
    *)
      name=$1
      shift
      ;;
  esac
  for setting in "$@"; do take_setting "$setting"; done
  case $GAME in
    palworld | aion | tera) ;;
    valheim) UNIT=${UNIT:-valheim} ;;
    skyrim) UNIT=${UNIT:-skyrim-together} ;;
    other) [ -n "${PORT:-}${PROCESS:-}${UNIT:-}" ] || count ;;
    *) count ;;
  esac
  case $name$TOKEN in *[!A-Za-z0-9_.-]*) refuse 'a name and a token have letters, digits, ".", "_" and "-" alone' ;; esac
  case ${PORT:-0} in *[!0-9]*) refuse 'PORT is a number' ;; esac
  write_settings >/dev/null
  root=${ROOT:-}
  settings=$root/etc/spawnpoint-heartbeat/$name.env
  mkdir -p "$root/usr/local/bin" "$root/etc/spawnpoint-heartbeat" "$root/etc/systemd/system"
  cp "$0" "$root/usr/local/bin/spawnpoint-heartbeat"
  chmod 755 "$root/usr/local/bin/spawnpoint-heartbeat"
  curl -fsS "$SITE_URL/heartbeat/spawnpoint-heartbeat@.service" -o "$root/etc/systemd/system/spawnpoint-heartbeat@.service"
  (
    umask 077
    write_settings >"$settings"
  )
  if [ -z "$root" ]; then
    systemctl daemon-reload
    systemctl enable --now "spawnpoint-heartbeat@$name"
  fi
  complain "set up. Its settings are in $settings; after a change: systemctl restart spawnpoint-heartbeat@$name"
}

case ${1:-} in
  install)
    shift
    set_up "$@"
    ;;
  run) run ;;
  once) once ;;
  count) count && printf '%s\n' "$report" ;;
  *)
    complain 'run, once, count, or install GAME SITE_URL TOKEN [NAME] [SETTING=VALUE ...]'
    exit 2
    ;;
esac
