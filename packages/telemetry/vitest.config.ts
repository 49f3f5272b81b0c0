import { project } from '../../test/vitest.project.ts';

export default project('telemetry', { typeTests: true });
