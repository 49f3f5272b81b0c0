import { project } from '../vitest.project.ts';

export default project('contract', { env: { CLIENTS: 'newest' } });
