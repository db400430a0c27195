import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type TestCertificates = { ca: string; caFile: string; certFile: string; keyFile: string };

/** A certificate authority for one test run and a certificate of it for `names`. dovecot-core brings openssl along. */
export function makeCertificates(folder: string, names: readonly string[]): TestCertificates {
  const at = (name: string) => join(folder, name);
  const run = (args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  run(['req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Milaan test only CA']);
  run(['req', ...key, '-keyout', 'server.key', '-out', 'server.csr', '-subj', `/CN=${names[0]}`]);
  const alternatives = names.map(name => (/^[\d.]+$/.test(name) ? `IP:${name}` : `DNS:${name}`));
  writeFileSync(at('server.ext'), `subjectAltName=${alternatives.join(',')}\n`);
  const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2'];
  run(['x509', '-req', '-in', 'server.csr', ...signing, '-extfile', 'server.ext', '-out', 'server.pem']);
  return {
    ca: readFileSync(at('ca.pem'), 'utf8'),
    caFile: at('ca.pem'),
    certFile: at('server.pem'),
    keyFile: at('server.key'),
  };
}
