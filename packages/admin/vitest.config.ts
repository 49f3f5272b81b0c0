import { project } from '../../test/vitest.project.ts';

export default project('admin', { typeTests: true });
