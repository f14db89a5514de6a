// How far bushings give and how far stations of elastic bodies move in a run: by that their deformation may be magnified.
import { Quaternion, Vector3 } from 'three';
import { relative, type Joint } from '../../geometry/joint_frames';
import type { Poses } from '../../geometry/poses';
import type { Run } from '../../data/run';
import { niceBelow } from '../../toolkit/format';
import type { Stations } from './stations';

const SAMPLES = 60;
const DRAWN = { bushing: 0.05, stations: 0.15 };   // of the mechanism's size, as drawn at most
const MOST = 1e4, LEAST = 2;

// 1 where nothing gives.
export function largestGive(run: Run, poses: Poses, joints: Joint[], stations: Iterable<Stations>, size: number): number {
  const bushings = joints.filter((joint) => joint.data.model === 'bushing' && poses.known[joint.parent] && poses.known[joint.child]), bodies = [...stations].filter((body) => body.known);
  if (bushings.length + bodies.length === 0) return 1;
  const time = run.whole.columns[0], keep = run.time, count = Math.min(SAMPLES, time.length), shift = new Vector3(), turn = new Quaternion();
  let share = 0;
  for (let i = 0; i < count; ++i) {
    run.seek(time[Math.round((i * (time.length - 1)) / Math.max(1, count - 1))]);
    poses.update();
    for (const joint of bushings) {
      relative(joint, joint.real, poses.position, poses.rotation, shift, turn);
      share = Math.max(share, Math.hypot(...joint.held.map((k) => shift.getComponent(k))) / (DRAWN.bushing * size));
    }
    for (const body of bodies) share = Math.max(share, body.largestDisplacement() / (DRAWN.stations * size));
  }
  run.seek(keep);
  poses.update();
  return share > 0 ? Math.max(LEAST, Math.min(MOST, niceBelow(1 / share))) : 1;
}
