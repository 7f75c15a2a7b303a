"""The optimizer and clipping are torch's own, to the bit."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from trivium.learn.optimizer import AdamW, clip_gradients


def gradients(step: int, parameters: list[nn.Parameter]) -> list[Tensor | None]:
    """Gradients of any size; now and then a parameter has none, as a head without rows."""
    generator = torch.Generator().manual_seed(step)
    scale = float(torch.rand((), generator=generator)) * 0.1
    drawn = [torch.randn(parameter.shape, generator=generator) * scale for parameter in parameters]
    return [None if (step + index) % 4 == 3 else gradient for index, gradient in enumerate(drawn)]


def parameters() -> list[nn.Parameter]:
    generator = torch.Generator().manual_seed(0)
    return [nn.Parameter(torch.randn(shape, generator=generator)) for shape in ((7, 33), (5,), (64, 3), (1,))]


def test_steps_and_clipping_are_those_of_torch_to_the_bit() -> None:
    ours, theirs = parameters(), parameters()
    optimizer, reference = AdamW(ours), torch.optim.AdamW(theirs, weight_decay=0.0, fused=True)
    clipped = []
    for step in range(12):
        optimizer.zero_grad()
        for mine, other, gradient in zip(ours, theirs, gradients(step, ours), strict=True):
            assert mine.grad is None
            mine.grad, other.grad = (None if gradient is None else gradient.clone() for _ in range(2))
        norm = clip_gradients(ours, 1.0)
        assert norm == float(torch.nn.utils.clip_grad_norm_(theirs, 1.0))
        clipped.append(norm > 1)
        reference.param_groups[0]["lr"] = rate = 0.01 * (step + 1)
        optimizer.step(rate)
        reference.step()
    assert set(clipped) == {True, False}
    for mine, other in zip(ours, theirs, strict=True):
        assert torch.equal(mine, other)
        assert optimizer.state[mine].keys() == reference.state[other].keys()
        assert all(torch.equal(optimizer.state[mine][part], value) for part, value in reference.state[other].items())


def test_looking_ahead_is_the_next_step_to_the_bit_and_changes_nothing() -> None:
    ours = parameters()
    optimizer = AdamW(ours)
    for step in range(3):
        for parameter, gradient in zip(ours, gradients(step, ours), strict=True):
            parameter.grad = gradient
        if step < 2:
            optimizer.step(0.01)
    trained = [parameter for parameter in ours if parameter.grad is not None]
    before = [parameter.detach().clone() for parameter in trained]
    half = [parameter.grad.clone() for parameter in trained]
    for parameter in trained:
        parameter.grad = parameter.grad * 0.5
    ahead = optimizer.lookahead(trained, 0.02, 2.0)
    assert all(torch.equal(parameter, value) for parameter, value in zip(trained, before, strict=True))
    for parameter, gradient in zip(trained, half, strict=True):
        parameter.grad = gradient
    optimizer.step(0.02)
    assert all(torch.equal(parameter, value) for parameter, value in zip(trained, ahead, strict=True))


def test_moments_by_name_continue_in_another_optimizer() -> None:
    ours, others = parameters(), parameters()
    first, second = AdamW(ours), AdamW(others)
    for parameter, gradient in zip(ours, gradients(0, ours), strict=True):
        parameter.grad = gradient
    first.step(0.01)
    second.load_named_state(
        dict(zip("abcd", others, strict=True)), first.named_state(dict(zip("abcd", ours, strict=True)))
    )
    for mine, other in zip(ours, others, strict=True):
        assert all(torch.equal(second.state[other][part], value) for part, value in first.state.get(mine, {}).items())
    assert len(second.state) == len(first.state) == 3


def test_a_norm_that_is_not_finite_is_returned_and_no_gradient_has_the_norm_zero() -> None:
    (parameter,) = parameters()[:1]
    assert clip_gradients([parameter], 1.0) == 0.0
    parameter.grad = torch.full_like(parameter, float("inf"))
    assert clip_gradients([parameter], 1.0) == float("inf")
