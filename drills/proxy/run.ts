import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { freePort } from '../../src/base/free-port.ts';
import { newSecretKey } from '../../src/base/secrets.ts';
import { install } from '../../test/support/install.ts';
import { startReady } from '../../test/support/program.ts';
import { openTestDatabase } from '../../test/support/test-database.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { playDrill } from '../play-drill.ts';

/** `npm run drill -- proxy`: the samples for nginx and Caddy as they are in packaging/proxy, with ports and certificates of the drill. */
install('the drill needs', [
  ['/usr/sbin/nginx', 'nginx'],
  ['/usr/bin/caddy', 'caddy'],
]);
const name = 'pay.example.in';
const token = 'figures-please';
const madeUp = '192.0.2.77';

await playDrill('proxy drill', async ({ folder, onEnd, see }) => {
  const database = await openTestDatabase();
  onEnd(() => database.stop());
  const program = await startReady(folder, {
    args: ['web'],
    env: {
      PUBLIC_URL: `https://${name}`,
      DATABASE_URL: database.url,
      SECRET_KEY: newSecretKey(),
      HOST: '127.0.0.1',
      TRUST_PROXY: 'yes',
      METRICS_TOKEN: token,
    },
  });
  onEnd(async () => {
    program.child.kill('SIGTERM');
    await program.ended;
  });
  const behind = program.url.replace('http://', '');
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '30',
      '-subj',
      `/CN=${name}`,
      '-addext',
      `subjectAltName=DNS:${name}`,
      '-keyout',
      key,
      '-out',
      certificate,
    ],
    { stdio: 'ignore' },
  );

  const proxies = {
    nginx: async (port: number) => {
      const sample = readFileSync('packaging/proxy/nginx.conf', 'utf8')
        .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
        .replace('listen 80', `listen 127.0.0.1:${await freePort()}`)
        .replace(/\/etc\/letsencrypt\S*fullchain\.pem/, certificate)
        .replace(/\/etc\/letsencrypt\S*privkey\.pem/, key)
        .replace('127.0.0.1:8080', behind);
      const file = join(folder, 'nginx.conf');
      writeFileSync(
        file,
        `daemon off;\npid ${folder}/nginx.pid;\nerror_log ${folder}/nginx.log;\nevents {}\nhttp {\naccess_log off;\nclient_body_temp_path ${folder}/b;\nproxy_temp_path ${folder}/p;\nfastcgi_temp_path ${folder}/f;\nuwsgi_temp_path ${folder}/u;\nscgi_temp_path ${folder}/s;\n${sample}}\n`,
      );
      return spawn('nginx', ['-c', file], { stdio: 'ignore' });
    },
    Caddy: async (port: number) => {
      const sample = readFileSync('packaging/proxy/Caddyfile', 'utf8').replace(
        '{$PUBLIC_HOST} {',
        `{$PUBLIC_HOST}:${port} {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}`,
      );
      const file = join(folder, 'Caddyfile');
      // Without HTTP/3: the UDP port of the same number is held by whoever found the port free.
      const options = 'admin off\n\tauto_https disable_redirects\n\tservers {\n\t\tprotocols h1 h2\n\t}';
      writeFileSync(file, `{\n\t${options}\n}\n${sample}`);
      return spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], {
        env: { PATH: '/usr/bin:/bin', HOME: folder, PUBLIC_HOST: name, MILAAN: behind },
        stdio: 'ignore',
      });
    },
  };
  for (const [which, start] of Object.entries(proxies)) {
    const port = await freePort();
    const child = await start(port);
    onEnd(async () => void child.kill('SIGTERM'));
    const talk = (request: string) =>
      new Promise<string>((resolve, reject) => {
        let said = '';
        const socket: TLSSocket = connect(
          { host: '127.0.0.1', port, servername: name, ca: readFileSync(certificate) },
          () => socket.write(request),
        );
        socket.on('data', chunk => {
          said += chunk;
        });
        socket.on('close', () => resolve(said));
        socket.on('error', reject);
      });
    const ask = (path: string, ...headers: string[]) =>
      talk(
        `GET ${path} HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n${headers.map(line => `${line}\r\n`).join('')}\r\n`,
      );
    await waitFor(
      which,
      () =>
        ask('/healthz').then(
          said => said.startsWith('HTTP/1.1 200'),
          () => false,
        ),
      60_000,
    );
    const ready = await ask('/readyz', `X-Forwarded-For: ${madeUp}`, `Authorization: Bearer ${token}`);
    see(
      `${which} passes requests on, and the service is ready behind it`,
      /^HTTP\/1\.1 200 [\s\S]*"status":"ready"/.test(ready),
      ready,
    );
    see(
      `${which} replaces what a caller says of itself`,
      /"caller":"127\.0\.0\.1"/.test(ready) && !ready.includes(madeUp),
      ready,
    );
    see(
      `${which} sends Strict-Transport-Security`,
      /^strict-transport-security: max-age=\d{8}/im.test(ready),
      ready,
    );
    const refused = await ask('/api/v1/orders');
    see(
      `${which} leaves refusals as they are`,
      /^HTTP\/1\.1 401 [\s\S]*"error":"missing_api_key"/.test(refused),
      refused,
    );
    const twice = await talk(
      `GET /healthz HTTP/1.1\r\nHost: ${name}\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
    );
    see(`${which} or we refuse two hosts`, /^HTTP\/1\.1 400/.test(twice), twice.slice(0, 200));
  }
});
