import { keepCompiled } from './operator/running/describe-installation.ts';

keepCompiled();
await import('./start.ts');
