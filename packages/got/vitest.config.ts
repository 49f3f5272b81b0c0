import { project } from '../../test/vitest.project.ts';

export default project('got', { typeTests: true });
