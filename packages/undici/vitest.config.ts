import { project } from '../../test/vitest.project.ts';

export default project('undici', { typeTests: true });
