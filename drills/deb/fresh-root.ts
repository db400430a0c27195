import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';

type Ran = { code: number; said: string };

/** A Debian that has nothing but what every Debian server has, booted: systemd starts what is installed in it. */
export type FreshRoot = {
  folder: string;
  /** Runs a command inside it, as root. */
  run(...command: string[]): Promise<Ran>;
  stop(): Promise<void>;
};

/** A container inside a container is allowed less than podman asks for by itself. */
const limits = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1024:1024'];
const name = `milaan-drill-root-${process.pid}`;

export async function bootFreshRoot(folder: string): Promise<FreshRoot> {
  const cached = process.env['MILAAN_DRILL_BASE'];
  mkdirSync(folder, { mode: 0o755 });
  if (cached && existsSync(cached)) execFileSync('tar', ['-xf', cached, '-C', folder, '--exclude=./dev/*']);
  else
    execFileSync('mmdebstrap', ['--quiet', '--variant=minbase', 'bookworm', folder], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  const inside = ['--network', 'host', ...limits, '--rootfs', folder];
  const boot =
    'apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends systemd-sysv dbus';
  for (const args of [
    ['run', '--rm', ...inside, 'sh', '-c', boot],
    ['run', '--detach', '--name', name, '--systemd=always', ...inside, '/sbin/init'],
  ]) {
    const { code, said } = await podman(...args);
    if (code !== 0) throw new Error(`podman ${args.join(' ')}: ${said.slice(-2000)}`);
  }
  const run = (...command: string[]) =>
    podman('exec', '--env', 'DEBIAN_FRONTEND=noninteractive', '--env', 'LC_ALL=C.UTF-8', name, ...command);
  return {
    folder,
    run,
    stop: async () => void spawnSync('podman', ['--runtime', 'runc', 'rm', '--force', '--time', '10', name]),
  };
}

function podman(...args: string[]): Promise<Ran> {
  return new Promise(resolve => {
    const child = spawn('podman', ['--runtime', 'runc', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', chunk => {
        said += chunk;
      });
    child.once('close', code => resolve({ code: code ?? 1, said }));
  });
}
