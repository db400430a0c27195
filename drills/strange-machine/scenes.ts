/** A machine that is strange in one way. All commands are lines of a shell, run as root in the folder of the project. */
export type Scene = {
  name: string;
  /** Namespaces of its own, so that what it breaks is broken for nobody else. */
  apart?: ('net' | 'mount')[];
  env?: Record<string, string>;
  /** Makes it strange. */
  make?: string;
  /** Fails when the strangeness did not take hold: then its tests would prove nothing. Run as whoever runs the tests. */
  struck: string;
  /** The tests run as `nobody`, in a copy of the tree that is theirs. */
  ordinaryUser?: boolean;
  /** Tests in addition to those of every scene. */
  more?: string[];
  /** The tests must print this too. */
  says?: RegExp;
};

/** Dates, money, a database, a mail server, a browser, addresses of both kinds. */
export const everywhere = [
  'test/texts/say.test.ts',
  'test/base/settings/config.test.ts',
  'test/base/network/guarded-connect.test.ts',
  'test/orders/create.test.ts',
  'test/orders/links/counter-browser.test.ts',
  'test/alerts/mailboxes/logging-in.test.ts',
];

const ports = [25, 587, 5432, 8080, 8081];
const listen = `for (const port of [${ports}]) require('net').createServer(s => s.destroy()).listen(port, '0.0.0.0')`;
const connects = `Promise.all([${ports}].map(port => new Promise((yes, no) => require('net').connect(port, '127.0.0.1', yes).on('error', no)))).then(() => process.exit(0), () => process.exit(1))`;
const listensOnSix = `require('net').createServer().listen(0, '::1', () => process.exit(0)).on('error', () => process.exit(1))`;
const loopback = 'ip link set lo up';
const hide = (folder: string, ...names: string[]) =>
  `mkdir -p "$SCENE"/over${folder} "$SCENE"/work${folder}
mount -t overlay overlay -o "lowerdir=${folder},upperdir=$SCENE/over${folder},workdir=$SCENE/work${folder}" ${folder}
rm -f ${names.map(name => `${folder}/${name}`).join(' ')}`;

export const scenes: Scene[] = [
  {
    name: 'time-zone',
    env: { TZ: 'America/New_York' },
    struck: `test "$("$NODE" -p 'new Date(0).getTimezoneOffset()')" = 300`,
    more: ['test/orders/history', 'test/dashboard/figures.test.ts'],
  },
  {
    name: 'language',
    env: { LANG: 'C', LC_ALL: 'C', LANGUAGE: 'de' },
    struck: 'test "$(locale charmap)" = ANSI_X3.4-1968',
    more: ['test/developers/docs-site/samples.long.test.ts'],
  },
  {
    name: 'umask',
    make: 'umask 077',
    struck: 'touch "$SCENE/file" && test "$(stat -c %a "$SCENE/file")" = 600',
    more: ['test/program/installation.test.ts'],
  },
  {
    name: 'settings-of-others',
    env: {
      PGHOST: '192.0.2.1',
      PGDATABASE: 'elsewhere',
      HTTPS_PROXY: 'http://192.0.2.1:3128',
      http_proxy: 'http://192.0.2.1:3128',
      DATABASE_URL: 'postgres://nobody@192.0.2.1/elsewhere',
      PORT: '1',
      SIGNUPS: 'closed',
      NODE_ENV: 'production',
    },
    struck: 'test "$PORT $PGHOST $SIGNUPS" = "1 192.0.2.1 closed"',
    more: ['test/program/installation.test.ts'],
  },
  {
    name: 'few-files',
    make: 'ulimit -n 256',
    struck: 'test "$(ulimit -Hn)" = 256',
  },
  {
    name: 'ordinary-user',
    ordinaryUser: true,
    struck: 'test "$(id -u)" != 0 && ! test -w /usr/sbin && ! sudo -n true 2>/dev/null',
    more: ['test/program/start.test.ts', 'test/alerts/forwarding/postfix.long.test.ts'],
    says: /skipped, needs root:\n {2}\S/,
  },
  {
    name: 'nothing-installed',
    apart: ['mount'],
    ordinaryUser: true,
    make: `${hide('/usr/sbin', 'dovecot', 'pgbouncer', 'postfix')}
${hide('/usr/bin', 'chromium-headless-shell', 'php', 'curl')}`,
    struck:
      '! test -e /usr/sbin/dovecot && ! test -e /usr/bin/chromium-headless-shell && test -x /usr/bin/env',
    more: ['test/developers/docs-site/samples.long.test.ts', 'test/program/pgbouncer.long.test.ts'],
    says: /skipped, needs Chromium:\n {2}an owner with nothing but a phone/,
  },
  {
    name: 'ports',
    apart: ['net'],
    make: `${loopback}
"$NODE" -e "${listen}" & listener=$!
trap 'kill $listener' EXIT
for try in 1 2 3 4 5 6 7 8 9; do "$NODE" -e "${connects}" && break; done`,
    struck: `"$NODE" -e "${connects}"`,
    more: ['test/program/start.test.ts', 'test/sandbox/start.long.test.ts'],
  },
  {
    name: 'no-ipv6',
    apart: ['net'],
    make: `${loopback}
echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6`,
    struck: `! "$NODE" -e "${listensOnSix}"`,
    more: ['test/program/starts.long.test.ts', 'test/outbox/webhooks/refused-destinations.test.ts'],
    says: /skipped, needs IPv6:\n {2}run in two folders/,
  },
  {
    name: 'no-localhost',
    // Without a network too: a name server might know the name.
    apart: ['net', 'mount'],
    make: `${loopback}
: > "$SCENE/hosts"
mount --bind "$SCENE/hosts" /etc/hosts`,
    struck: '! getent ahostsv4 localhost',
    more: ['test/dashboard/sign-in/sign-in.test.ts', 'test/orders/page/widget.test.ts'],
  },
  {
    name: 'only-dejavu',
    apart: ['mount'],
    make: `mount --bind node_modules/dejavu-fonts-ttf/ttf /usr/share/fonts
if [ -d /usr/local/share/fonts ]; then mount -t tmpfs tmpfs /usr/local/share/fonts; fi`,
    env: { HOME: '/nonexistent' },
    struck:
      'test "$(fc-list : family | cut -c1-6 | sort -u)" = DejaVu && ! find /usr/share/fonts -name "*Devanagari*" | grep .',
    more: ['test/orders/page/page-accessibility.long.test.ts', 'test/orders/page/widget-phone.long.test.ts'],
  },
];
