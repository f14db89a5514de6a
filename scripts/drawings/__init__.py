"""Figures that `freeplay plot` cannot draw: mechanisms, closed forms beside runs, sweeps over many runs.

figures.py calls this; needs gnuplot, nothing beyond Python's standard library.
"""

from .belt import belt_drive
from .chain import roller_chain
from .contours import escapement, gear_teeth, geneva_drive, ratchet, rolling_ellipse, scotch_yoke
from .events import chimney_damper, conveyor, impact_oscillator, superball
from .figure import Examples
from .impacts import bouncing_ball, cam_roller, painleve_rod, slider_crank_step, sphere_tangential_restitution
from .meshes import bolt_on_plate, peg_in_hole
from .scenes import arch, domino_row, hopper, jenga, rotating_drum, wall_of_bricks
from .smooth_motion import andrews_squeezer, double_pendulum, four_bar_linkage, spatial_pendulum, spinning_top
from .solids_in_space import box_stack, rattleback, rolling_ball, rssr_clearance, spheres_in_box, tippe_top

FIGURES = [double_pendulum, four_bar_linkage, slider_crank_step, spinning_top,
           spatial_pendulum, andrews_squeezer, bouncing_ball, sphere_tangential_restitution,
           painleve_rod, cam_roller, rolling_ball, box_stack,
           tippe_top, rattleback, rssr_clearance, spheres_in_box, peg_in_hole, bolt_on_plate,
           geneva_drive, ratchet, scotch_yoke, escapement, rolling_ellipse, gear_teeth, conveyor, superball,
           impact_oscillator, chimney_damper, roller_chain, belt_drive,
           arch, domino_row, wall_of_bricks, hopper, rotating_drum, jenga]


def names():
    return [figure.__name__ for figure in FIGURES]


def draw(name, freeplay, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    next(figure for figure in FIGURES if figure.__name__ == name)(Examples(freeplay)).write(path)
