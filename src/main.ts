import { keepCompiled } from './operator/describe-installation.ts';

keepCompiled();
await import('./start.ts');
