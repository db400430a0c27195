import { keepCompiled } from './operator/keep-compiled.ts';

keepCompiled();
await import('./start.ts');
