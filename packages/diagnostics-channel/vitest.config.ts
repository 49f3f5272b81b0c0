import { project } from '../../test/vitest.project.ts';

export default project('diagnostics-channel', { typeTests: true });
