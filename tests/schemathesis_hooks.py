"""What schemathesis cannot know by itself about the interface."""

import os

import requests
import schemathesis
from schemathesis import GenerationMode
from schemathesis.core.parameters import ParameterLocation

CREATES = (
    "/apiv2/consignments/createConsignment",
    "/apiv2/consignments/createConsignmentwithComplexItems",
)


@schemathesis.hook
def after_load_schema(context, schema):
    """Makes the consignments that the definition's examples refer to, out of its own examples."""
    raw = schema.raw_schema
    token = None
    for path in CREATES:
        content = raw["paths"][path]["post"]["requestBody"]["content"]["application/json"]
        for example in content["examples"].values():
            reply = requests.post(
                raw["servers"][0]["url"] + path,
                json=example["value"],
                headers={"token": os.environ["PACKBENCH_TOKEN"]},
                timeout=10,
            )
            if reply.status_code != 200 or reply.json()["errors"]:
                raise AssertionError(f"an example of {path} does not work: {reply.text}")
            token = reply.json()["object"]["trackingPageAccessToken"]
    # Nobody can guess a consignment's token: one that is there shows what the public pages answer.
    for path, item in raw["paths"].items():
        if path.endswith("/{token}"):
            item["get"]["parameters"][0]["example"] = token


@schemathesis.check
def broken_requests_do_not_succeed(ctx, response, case):
    """A request that the definition does not allow is refused: by its status, or with HTTP 200 by the envelope's errors."""
    meta = case.meta
    if meta is None or meta.generation.mode is not GenerationMode.NEGATIVE or response.status_code != 200:
        return
    wrong = {place for place, part in meta.components.items() if part.mode.is_negative}
    if wrong == {ParameterLocation.HEADER}:
        # The interface has no headers but the tokens, which schemathesis puts back before it sends; what happens without
        # them is asked by `ignored_auth`. And where there is no body, as in a GET and in a ping, its Content-Type means nothing.
        said = meta.phase.data.parameter == "Content-Type"
        if not said or not response.request.body:
            return
    try:
        answer = response.json()
    except ValueError:
        raise AssertionError("A request that the definition does not allow was answered with a document") from None
    if not answer.get("errors") and not answer.get("error"):
        raise AssertionError(f"A request that the definition does not allow succeeded: {meta.phase.data.description}")
