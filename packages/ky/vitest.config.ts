import { project } from '../../test/vitest.project.ts';

export default project('ky', { typeTests: true });
