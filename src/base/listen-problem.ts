import { StartError } from './start-error.ts';

export function listenProblem(error: unknown, host: string, port: number, setting = 'PORT'): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (code === 'EADDRINUSE')
    return new StartError(`port ${port} is already in use: set ${setting} to another one`);
  if (code === 'EACCES')
    return new StartError(`port ${port} may not be used by this user: set ${setting} above 1023`);
  if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'].includes(code))
    return new StartError(`HOST ${host} is not an address of this machine`);
  return error;
}

/** An IPv6 address needs brackets, or its last part would be read as the port. */
export function httpAddress(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
