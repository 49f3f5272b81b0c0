import { project } from '../../test/vitest.project.ts';

export default project('axios', { typeTests: true });
